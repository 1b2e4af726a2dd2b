// Lifts with a known truth: interventions whose lift differs by task, several of them in one task, and a few continuations
// of each. Used to see whether intervals cover.
import { binomialChance } from '../../src/shared/statistics/distributions.ts';
import { independentDifference } from '../../src/shared/statistics/proportions.ts';
import { meanOf } from '../../src/shared/statistics/means.ts';
import type { Random } from '../../src/shared/statistics/random.ts';

export const TRUE_LIFT = 0.2;

/** The lifts found in one data set, task by task: a task's advice is worth 0 or 40 points. */
export function plantedLifts(tasks: number, each: number, k: number, random: Random): number[][] {
  const completed = (chance: number): number =>
    Array.from({ length: k }, () => Number(random() < chance)).reduce((sum, one) => sum + one, 0);
  return Array.from({ length: tasks }, () => {
    const lift = random() < 0.5 ? 0 : 2 * TRUE_LIFT;
    return Array.from({ length: each }, () => {
      const alone = 0.1 + 0.5 * random();
      return (completed(alone + lift) - completed(alone)) / k;
    });
  });
}

/** How often the interval of one intervention covers its truth, counted out over a grid of chances: mean and least. */
export function coverageOf(k: number): { mean: number; least: number } {
  const chances = Array.from({ length: 19 }, (_, at) => (at + 1) / 20);
  const counts = Array.from({ length: k + 1 }, (_, at) => at);
  const covered = chances.flatMap((alone) =>
    chances.map((aided) =>
      counts
        .flatMap((first) => counts.map((second) => [first, second] as const))
        .reduce((sum, [first, second]) => {
          const found = independentDifference(
            { successes: first, total: k },
            { successes: second, total: k },
          );
          const truth = aided - alone;
          const isCovered = found !== null && found.low <= truth + 1e-12 && truth - 1e-12 <= found.high;
          return isCovered ? sum + binomialChance(first, k, alone) * binomialChance(second, k, aided) : sum;
        }, 0),
    ),
  );
  return { mean: meanOf(covered), least: Math.min(...covered) };
}
