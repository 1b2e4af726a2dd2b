// Which tasks a search and the chips leave. Pure.
import { queryWords, wordsFound, type ListedScenario } from '../../../shared/scenarioSearch.ts';
import type { Task } from './useCatalog.ts';

const CHIPS = ['easy', 'medium', 'hard', 'ambiguous'] as const;
export type Chip = (typeof CHIPS)[number];

const hasChip = (task: Task, chip: Chip): boolean =>
  chip === 'ambiguous' ? task.is_ambiguous : task.difficulty === chip;

/** The chips that at least one task has. */
export const chipsOf = (tasks: readonly Task[]): Chip[] =>
  CHIPS.filter((chip) => tasks.some((task) => hasChip(task, chip)));

/** Tasks with any of the difficulties, ambiguous ones only when that is chosen, and those that match the words first. */
export function shownTasks(tasks: readonly Task[], query: string, chips: ReadonlySet<Chip>): Task[] {
  const levels = CHIPS.filter((chip) => chip !== 'ambiguous' && chips.has(chip));
  const left = tasks.filter(
    (task) =>
      (levels.length === 0 || levels.some((chip) => hasChip(task, chip))) &&
      (!chips.has('ambiguous') || task.is_ambiguous),
  );
  const words = queryWords(query);
  if (words.length === 0) return left;
  const hits = (task: Task): number => wordsFound(task.task, words);
  return left.toSorted((a, b) => hits(b) - hits(a) || a.task_idx - b.task_idx);
}

/** Where a key leads in a list; null for a key that does not move. */
export function indexAfterKey(key: string, at: number, count: number): number | null {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, to));
}
const PAGE_ROWS = 10;

/** A choice that was kept, without what the environment does not list any more. Where it lists nothing, names are typed. */
export function listedChoice<Choice extends { scenario: string; task: string }>(
  listed: readonly ListedScenario[],
  choice: Choice,
): Choice {
  const { scenario, task } = choice;
  if (listed.length === 0 || scenario === '') return choice;
  const found = listed.find(({ name }) => name === scenario);
  if (found === undefined) return { ...choice, scenario: '', task: '' };
  const isThere = found.tasks.length === 0 || task === '' || Number(task) < found.tasks.length;
  return isThere ? choice : { ...choice, task: '' };
}
