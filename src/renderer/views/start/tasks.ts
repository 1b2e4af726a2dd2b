// Which tasks a search and the chips leave. Pure.
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
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return left;
  const hits = (task: Task): number => words.filter((word) => task.task.toLowerCase().includes(word)).length;
  return left.toSorted((a, b) => hits(b) - hits(a) || a.task_idx - b.task_idx);
}
