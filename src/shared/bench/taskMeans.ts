// The task as the unit: the mean of its runs, arm by arm, and its pairs over two arms. Pure.
import { meanOf } from '../statistics/means.ts';
import type { Observed } from './observed.ts';
import type { BenchPlan } from './plan.ts';

export type TaskRuns = { scenario: string; task_idx: number; arms: Map<string, Observed[]> };

/** A value of one episode; null where it was not measured. */
export type ValueOf = (episode: Observed) => number | null;

/** Every task of the plan, in its order, with what was observed of it in each arm, by seed. */
export function tasksOf({ tasks, arms }: BenchPlan, episodes: readonly Observed[]): TaskRuns[] {
  const byTask = Map.groupBy(episodes, ({ scenario, task_idx }) => `${scenario} ${String(task_idx)}`);
  return tasks.map(([scenario, task_idx]) => {
    const own = byTask.get(`${scenario} ${String(task_idx)}`) ?? [];
    const runs = arms.map(
      ({ arm }) => [arm, own.filter((one) => one.arm === arm).toSorted((a, b) => a.seed - b.seed)] as const,
    );
    return { scenario, task_idx, arms: new Map(runs) };
  });
}

export const isCounted = ({ exclusion }: Observed): boolean => exclusion === null;

/** The mean of a task's runs in an arm; null where none was measured. */
export function taskMean({ arms }: TaskRuns, arm: string, valueOf: ValueOf): number | null {
  const values = (arms.get(arm) ?? []).filter(isCounted).flatMap((episode) => valueOf(episode) ?? []);
  return values.length === 0 ? null : meanOf(values);
}

/** The task means of an arm; tasks without a measured run are left out. */
export const armMeans = (tasks: readonly TaskRuns[], arm: string, valueOf: ValueOf): number[] =>
  tasks.flatMap((task) => taskMean(task, arm, valueOf) ?? []);

/** `second` minus `first` of every task that was measured in both. */
export const taskDifferences = (
  tasks: readonly TaskRuns[],
  { first, second }: { first: string; second: string },
  valueOf: ValueOf,
): number[] =>
  tasks.flatMap((task) => {
    const [one, other] = [taskMean(task, first, valueOf), taskMean(task, second, valueOf)];
    return one === null || other === null ? [] : [other - one];
  });

export const completed: ValueOf = ({ isComplete }) => Number(isComplete);
