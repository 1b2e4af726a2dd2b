// The interval of a share of episodes that were taken task by task: episodes of one task come out alike, so there is less
// in them than in as many tasks. Pure.
// Source: the effective sample size of Korn and Graubard (1998), Survey Methodology 24, put into Wilson's interval as in
// Dean and Pagano (2015), Journal of Survey Statistics and Methodology 3.
import { studentQuantile } from './distributions.ts';
import type { Interval } from './means.ts';
import { wilson } from './proportions.ts';

export type TaskCount = { successes: number; total: number };

/**
 * At 95 %, of all successes in all episodes. Wilson's own where every task has one episode; null with fewer than two
 * tasks, which say nothing of how tasks differ. Where all or none succeeded, each task counts once.
 */
export function clusteredShare(counts: readonly TaskCount[]): Interval | null {
  const tasks = counts.filter(({ total }) => total > 0);
  const total = tasks.reduce((sum, task) => sum + task.total, 0);
  const successes = tasks.reduce((sum, task) => sum + task.successes, 0);
  if (tasks.length < 2) return null;
  const share = successes / total;
  const effective = share === 0 || share === 1 ? tasks.length : effectiveSize(tasks, { share, total });
  return wilson(share * effective, effective);
}

/** As many independent episodes say as much; never more than there are. */
function effectiveSize(
  tasks: readonly TaskCount[],
  { share, total }: { share: number; total: number },
): number {
  const count = tasks.length;
  const squares = tasks.reduce((sum, task) => sum + (task.successes - share * task.total) ** 2, 0);
  const variance = ((count / (count - 1)) * squares) / total ** 2;
  if (variance === 0) return total;
  const alone = (share * (1 - share)) / (total - 1);
  // Few tasks say little of how much tasks differ: Student's t is wider than the normal's.
  const widening = (studentQuantile(0.975, total - 1) / studentQuantile(0.975, count - 1)) ** 2;
  return Math.min(total, ((total * alone) / variance) * widening);
}
