// The split manifest of a benchmark: which tasks train and which are held out. Source of the form: the public recipe.
import { z } from 'zod';
import { comparedKey } from './environmentKinds.ts';
import { isSameTask } from './episode/baseline.ts';
import type { TaskAddress } from './episode/record.ts';

/** A task as lists of tasks write it: scenario and index. */
export const ListedTask = z.tuple([z.string(), z.number().int().nonnegative()]);
export type ListedTask = z.infer<typeof ListedTask>;

/** Of `meta` only the environment is read: the key of the one the tasks are played in, where the writer knew it. */
export const SplitManifest = z.looseObject({
  meta: z.looseObject({ environment: z.string().nullish() }).optional(),
  train: z.array(ListedTask),
  val: z.array(ListedTask),
});
export type SplitManifest = z.infer<typeof SplitManifest>;

/** A manifest to choose tasks from may hold only one of its lists. */
export const TaskLists = SplitManifest.pick({ train: true, val: true }).partial();
export type TaskLists = z.infer<typeof TaskLists>;

/** The side of a task: `unlisted` in neither list, `unknown` where no manifest was given. */
export const SplitSide = z.enum(['train', 'val', 'unlisted', 'unknown']);
export type SplitSide = z.infer<typeof SplitSide>;

/** `environment`: its key; null or absent where nobody knows it. */
type PlayedTask = TaskAddress & { environment?: string | null };

/** A task that stands in both lists is held out. */
export function sideOf(split: SplitManifest | null, task: PlayedTask): SplitSide {
  if (split === null) return 'unknown';
  const of = split.meta?.environment ?? null;
  const holds = (list: SplitManifest['train']): boolean =>
    mayBeSame(of, task.environment ?? null) &&
    list.some(([scenario, task_idx]) => isSameTask({ scenario, task_idx }, task));
  if (holds(split.val)) return 'val';
  return holds(split.train) ? 'train' : 'unlisted';
}

/** The side of a task in several manifests: held out as soon as one of them says so. */
export function sideIn(splits: readonly SplitManifest[], task: PlayedTask): SplitSide {
  const sides = splits.map((split) => sideOf(split, task));
  if (sides.length === 0) return 'unknown';
  return (['val', 'train'] as const).find((side) => sides.includes(side)) ?? 'unlisted';
}

/**
 * True if two keys of environments may mean one. An import has the name of its format, and a manifest of
 * another tool has none: such a task is rather held out for nothing than trained on.
 */
const mayBeSame = (one: string | null, other: string | null): boolean =>
  one === null ||
  other === null ||
  comparedKey(one) === comparedKey(other) ||
  [one, other].some((key) => key.startsWith('import:'));

/** A held-out task by scenario, index, and the key of its environment where that is known. */
export const HeldOutTask = z.tuple([z.string(), z.number().int(), z.string().optional()]);
export type HeldOutTask = z.infer<typeof HeldOutTask>;

export function heldOutTasks({ meta, val }: Pick<SplitManifest, 'meta' | 'val'>): HeldOutTask[] {
  const environment = meta?.environment ?? null;
  return val.map(([scenario, index]) =>
    environment === null ? [scenario, index] : [scenario, index, environment],
  );
}

/** The lists put together, each task once, in order. */
export const joinHeldOut = (...lists: readonly (readonly HeldOutTask[])[]): HeldOutTask[] => [
  ...new Map(lists.flat().map((task) => [JSON.stringify(task), task])).values(),
];

/**
 * Tells the tasks of a list, looked up by `key`: what makes two names of a task one. `isTwin`: whether a task that has
 * the name of one held out in another environment is that task.
 */
export function createHeldOut<Task extends PlayedTask>(
  tasks: readonly HeldOutTask[],
  key: (scenario: string, task_idx: number) => string,
  isTwin: (task: Task, environment: string) => boolean = () => false,
): (task: Task) => boolean {
  const environments = new Map<string, (string | null)[]>();
  for (const [scenario, index, environment = null] of tasks) {
    const at = key(scenario, index);
    const known = environments.get(at);
    if (known === undefined) environments.set(at, [environment]);
    else known.push(environment);
  }
  return (task) => {
    const { scenario, task_idx, environment = null } = task;
    if (scenario === null || task_idx === null) return false;
    const holding = environments.get(key(scenario, task_idx)) ?? [];
    return (
      holding.some((one) => mayBeSame(one, environment)) ||
      holding.some((one) => one !== null && isTwin(task, one))
    );
  };
}
