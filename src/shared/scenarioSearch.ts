// Search over scenarios, fast enough for every key over a thousand scenarios of ten tasks. Pure.
import { truncate } from './truncate.ts';

export type ListedScenario = { name: string; description: string; tasks: readonly string[] };

export type ScenarioHit = {
  scenario: ListedScenario;
  /** The task that most of the words are in; null where the name has them all, or no task has any. */
  task: number | null;
};

export type ScenarioSearch = (query: string) => ScenarioHit[];

/** The words of a query; a scenario is found when each is somewhere in its name, its description or its tasks. */
export const queryWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** Counts the words that are in a text. */
export const wordsFound = (text: string, words: readonly string[]): number => {
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(word)).length;
};

/** Scenarios in the order they are listed, those first whose name has all the words. */
export function createScenarioSearch(scenarios: readonly ListedScenario[]): ScenarioSearch {
  const entries = scenarios.map((scenario) => ({
    scenario,
    name: scenario.name.toLowerCase(),
    tasks: scenario.tasks.map((task) => task.toLowerCase()),
    // Words hold no line break, so none is found across two texts.
    text: [scenario.name, scenario.description, ...scenario.tasks].join('\n').toLowerCase(),
  }));
  return (query) => {
    const words = queryWords(query);
    if (words.length === 0) return scenarios.map((scenario) => ({ scenario, task: null }));
    const named: ScenarioHit[] = [];
    const others: ScenarioHit[] = [];
    for (const { scenario, name, tasks, text } of entries) {
      if (!words.every((word) => text.includes(word))) continue;
      if (words.every((word) => name.includes(word))) named.push({ scenario, task: null });
      else others.push({ scenario, task: bestTask(tasks, words) });
    }
    return [...named, ...others];
  };
}

function bestTask(tasks: readonly string[], words: readonly string[]): number | null {
  let best: number | null = null;
  let most = 0;
  for (const [at, text] of tasks.entries()) {
    const hits = words.filter((word) => text.includes(word)).length;
    if (hits > most) [best, most] = [at, hits];
  }
  return best;
}

export type Stretch = { start: number; text: string; isMarked: boolean };

/** A text in stretches, the words that were looked for marked; how a long one goes on is a stretch without marks. */
export function markWords(text: string, words: readonly string[]): Stretch[] {
  const head = truncate(text);
  const lower = head.toLowerCase();
  // A letter whose small form is longer moves everything after it: nothing is marked then.
  if (lower.length !== head.length || words.length === 0) return [{ start: 0, text, isMarked: false }];
  const isMarked = new Uint8Array(head.length);
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
      isMarked.fill(1, at, at + word.length);
  }
  const stretches: Stretch[] = [];
  for (let start = 0; start < head.length;) {
    let end = start;
    while (end < head.length && isMarked[end] === isMarked[start]) end += 1;
    stretches.push({ start, text: text.slice(start, end), isMarked: isMarked[start] === 1 });
    start = end;
  }
  if (head.length < text.length)
    stretches.push({ start: head.length, text: text.slice(head.length), isMarked: false });
  return stretches;
}
