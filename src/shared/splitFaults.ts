// Finds the faults of a split: a task in both of its lists, or twice in one. Pure.
import type { ListedTask, SplitManifest } from './split.ts';
import { normalizeScenario } from './wire.ts';

/** Two spellings of a scenario are one. */
export const listedTaskKey = ([scenario, task_idx]: ListedTask): string =>
  JSON.stringify([normalizeScenario(scenario), task_idx]);

/** Each task once, in order. */
export const uniqueTasks = (tasks: readonly ListedTask[]): ListedTask[] =>
  [...new Map(tasks.toReversed().map((task) => [listedTaskKey(task), task])).values()].toReversed();

/** Those of `tasks` that `list` has too, each once. */
export function tasksAlsoIn(tasks: readonly ListedTask[], list: readonly ListedTask[]): ListedTask[] {
  const known = new Set(list.map(listedTaskKey));
  return uniqueTasks(tasks.filter((task) => known.has(listedTaskKey(task))));
}

/** The tasks that a list has more than once. */
export function tasksTwiceIn(tasks: readonly ListedTask[]): ListedTask[] {
  const seen = new Set<string>();
  const twice = tasks.filter((task) => {
    const key = listedTaskKey(task);
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  });
  return uniqueTasks(twice);
}

export type SplitFaults = { inBoth: ListedTask[]; twiceInTrain: ListedTask[]; twiceInVal: ListedTask[] };

export const faultsOfSplit = ({ train, val }: Pick<SplitManifest, 'train' | 'val'>): SplitFaults => ({
  inBoth: tasksAlsoIn(val, train),
  twiceInTrain: tasksTwiceIn(train),
  twiceInVal: tasksTwiceIn(val),
});

const NAMED_MAX = 5;

/** `loomline_workflows 1, maplecart 0 and 3 more`. */
export function taskNames(tasks: readonly ListedTask[]): string {
  const named = tasks.slice(0, NAMED_MAX).map(([scenario, task_idx]) => `${scenario} ${String(task_idx)}`);
  const more = tasks.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : ` and ${String(more)} more`}`;
}
