// Which tasks a search found, and where the keys of the search field lead among them. Pure.
import { queryWords, wordsFound, type ScenarioHit } from '../../../shared/scenarioSearch.ts';

/** A task as it is chosen; `task` is empty where the scenario lists none. */
export type TaskChoice = { scenario: string; task: string };

/** The tasks of a scenario that the words fit best; all of them where its name or description has the words. */
export function tasksFound({ scenario, task }: ScenarioHit, query: string): number[] {
  const all = [...scenario.tasks.keys()];
  if (task === null) return all;
  const words = queryWords(query);
  const best = wordsFound(scenario.tasks[task] ?? '', words);
  return all.filter((index) => wordsFound(scenario.tasks[index] ?? '', words) === best);
}

const PREVIOUS_KEYS = new Set(['ArrowUp', 'PageUp']);
const KEYS = new Set([...PREVIOUS_KEYS, 'ArrowDown', 'PageDown']);

/**
 * Arrows go through the tasks found in the chosen scenario and on to the next scenario, PageUp and PageDown to the next
 * scenario at once. `shown` are the tasks that are on screen, in their order; null while they are read. Null for a key
 * that leads nowhere.
 */
export function choiceAfterKey(
  key: string,
  hits: readonly ScenarioHit[],
  query: string,
  chosen: TaskChoice,
  shown: readonly number[] | null,
): TaskChoice | null {
  if (!KEYS.has(key) || hits.length === 0) return null;
  const step = PREVIOUS_KEYS.has(key) ? -1 : 1;
  const at = hits.findIndex((hit) => hit.scenario.name === chosen.scenario);
  const hit = hits[at];
  if (hit !== undefined && key.startsWith('Arrow')) {
    const found = new Set(tasksFound(hit, query));
    const tasks = (shown ?? [...found]).filter((task) => found.has(task));
    const next = tasks[tasks.indexOf(chosen.task === '' ? -1 : Number(chosen.task)) + step];
    if (next !== undefined) return { ...chosen, task: String(next) };
  }
  const other = hits[at + step];
  if (other === undefined) return chosen;
  const tasks = tasksFound(other, query);
  const task = key === 'ArrowUp' ? tasks.at(-1) : tasks[0];
  return { scenario: other.scenario.name, task: task === undefined ? '' : String(task) };
}
