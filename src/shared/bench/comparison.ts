// Two arms compared on the same tasks, and what that says in plain words. Pure.
import { deviationOf, meanOf, type Interval } from '../statistics/means.ts';
import { ALPHA, leastMeanDifference, leastPairedDifference, POWER } from '../statistics/power.ts';
import { mcnemarExact, pairedDifference, type PairedCounts } from '../statistics/proportions.ts';
import { signFlip } from '../statistics/signFlip.ts';
import { signFlipInterval } from '../statistics/signFlipInterval.ts';
import type { SecondaryOutcome } from './outcomes.ts';
import type { BenchPlan } from './plan.ts';
import type { Comparison, PrimaryComparison } from './summary.ts';
import { completed, taskDifferences, taskMean, type TaskRuns } from './taskMeans.ts';

type Pair = { first: string; second: string };
type Compared = Pick<Comparison, 'tasks' | 'estimate' | 'interval' | 'interval_method' | 'test' | 'p'>;

export const NOTHING: Compared = {
  tasks: 0,
  estimate: null,
  interval: null,
  interval_method: null,
  test: null,
  p: null,
};

/** The two arms on completion: by pairs of single runs, else by task means. */
export function compareCompletion(plan: BenchPlan, tasks: readonly TaskRuns[], pair: Pair): Compared {
  if (plan.seeds.length > 1) return compareMeans(tasks, pair, COMPLETED);
  const counts = pairCounts(tasks, pair);
  const found = pairedDifference(counts);
  if (found === null) return NOTHING;
  const p = mcnemarExact(counts);
  return {
    tasks: taskDifferences(tasks, pair, completed).length,
    estimate: found.estimate,
    interval: reachingZero({ low: found.low, high: found.high }, p),
    interval_method: 'newcombe',
    test: 'mcnemar_exact',
    p,
  };
}

export function compareMeans(
  tasks: readonly TaskRuns[],
  pair: Pair,
  { isShare, valueOf }: Pick<SecondaryOutcome, 'isShare' | 'valueOf'>,
): Compared {
  const differences = taskDifferences(tasks, pair, valueOf);
  if (differences.length === 0) return NOTHING;
  const { p, method } = signFlip(differences);
  const found = signFlipInterval(differences.map((sum) => ({ sum, count: 1 })));
  const interval = found === null ? null : withinLimits(reachingZero(found, p), isShare);
  return {
    tasks: differences.length,
    estimate: meanOf(differences),
    interval,
    interval_method: interval === null ? null : 'sign_flip',
    test: method === 'exact' ? 'sign_flip_exact' : 'sign_flip_monte_carlo',
    p,
  };
}

const COMPLETED = { isShare: true, valueOf: completed } as const;

/** A test that claims nothing at 5 % leaves zero possible: an interval never says otherwise. */
export const reachingZero = ({ low, high }: Interval, p: number): Interval =>
  isShownAt(p) ? { low, high } : { low: Math.min(low, 0), high: Math.max(high, 0) };

/** A share differs by at most 1. Of anything else, an interval without an end is none. */
export const withinLimits = ({ low, high }: Interval, isShare: boolean): Interval | null =>
  isShare
    ? { low: Math.max(-1, low), high: Math.min(1, high) }
    : Number.isFinite(low) && Number.isFinite(high)
      ? { low, high }
      : null;

export function pairCounts(tasks: readonly TaskRuns[], { first, second }: Pair): PairedCounts {
  const counts: PairedCounts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const task of tasks) {
    const [one, other] = [taskMean(task, first, completed), taskMean(task, second, completed)];
    if (one === null || other === null) continue;
    if (one === 1) counts[other === 1 ? 'both' : 'onlyFirst'] += 1;
    else counts[other === 1 ? 'onlySecond' : 'neither'] += 1;
  }
  return counts;
}

/** Below so many tasks of several runs each Student's power promises too much, and none is stated. */
const FEW_TASKS = 20;

/** The least true difference in completion that this bench would have shown most of the time. */
export function powerOf(plan: BenchPlan, tasks: readonly TaskRuns[], pair: Pair): PrimaryComparison['power'] {
  const least = leastDifference(plan, tasks, pair);
  const compared = taskDifferences(tasks, pair, completed).length;
  return { power: POWER, alpha: ALPHA, least_difference: least, says: powerText(least, compared) };
}

function powerText(least: number | null, tasks: number): string {
  if (least !== null)
    return `This bench could have shown a difference of ${points(least)} or more: four times of five, at 5 %.`;
  return isShownAt(signFlip(Array.from({ length: tasks }, () => 1)).p)
    ? `With fewer than ${String(FEW_TASKS)} tasks, what this bench could have shown is not stated.`
    : 'With so few tasks, this bench could not have shown any difference.';
}

function leastDifference(plan: BenchPlan, tasks: readonly TaskRuns[], pair: Pair): number | null {
  const differences = taskDifferences(tasks, pair, completed);
  const count = differences.length;
  const deviation = deviationOf(differences) ?? 0;
  // Where every task was always solved or never, several runs say no more than one.
  const isWhole = differences.every(Number.isInteger);
  if (plan.seeds.length > 1 && deviation > 0 && !isWhole) {
    return count < FEW_TASKS
      ? null
      : leastMeanDifference({ deviation, tasks: count, step: 1 / plan.seeds.length });
  }
  // Where nothing varied, a task counts as solved always or never: that takes the largest difference to show.
  const { onlyFirst, onlySecond } = pairCounts(tasks, pair);
  return count === 0 ? null : leastPairedDifference(Math.min(onlyFirst, onlySecond) / count, count);
}

/** A share in points of a hundred: `18.2 points`. */
export const points = (share: number): string => {
  const size = Math.abs(share * 100);
  return `${size.toFixed(1)} ${size.toFixed(1) === '1.0' ? 'point' : 'points'}`;
};

/** The test decides, and the interval has to agree: one that holds zero shows nothing. */
export const isShownAt = (p: number | null, interval: Interval | null = null): boolean =>
  p !== null && p < ALPHA && (interval === null || interval.low > 0 || interval.high < 0);

const pText = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${p.toFixed(4)}`);

type Unit = { share: boolean; name: string };

const sizeText = (value: number, { share }: Unit): string =>
  share ? points(value) : String(Number(Math.abs(value).toPrecision(3)));

const intervalText = ({ low, high }: Interval, { share }: Unit): string => {
  const one = (value: number): string =>
    (share ? (100 * value).toFixed(1) : String(Number(value.toPrecision(3)))).replace('-', '−');
  return `${one(low)} to ${one(high)}`;
};

type Finding = Pick<Comparison, 'estimate' | 'interval' | 'tasks' | 'p_adjusted' | 'is_shown'> & {
  p: number | null;
};

/** One sentence, as plain for no difference as for one. Among several, the adjusted p decides. */
export function sentenceOf(found: Finding, labels: Pair, unit: Unit): string {
  const { estimate, interval, tasks, p_adjusted: adjusted } = found;
  const p = adjusted ?? found.p;
  const isAmongSeveral = adjusted !== null;
  if (estimate === null || p === null)
    return `${unit.name}: nothing to compare, no task was measured in both arms.`;
  const facts = [
    ...(interval === null
      ? []
      : [`95 % interval ${isAmongSeveral ? 'by itself ' : ''}${intervalText(interval, unit)}`]),
    `${isAmongSeveral ? 'adjusted ' : ''}${pText(p)}`,
    `${String(tasks)} ${tasks === 1 ? 'task' : 'tasks'}`,
  ].join(', ');
  if (!found.is_shown)
    return `${unit.name}: no difference shown between ${labels.first} and ${labels.second} (${estimate < 0 ? '−' : ''}${sizeText(estimate, unit)}; ${facts}).`;
  const direction = estimate > 0 ? 'higher' : 'lower';
  return `${unit.name}: ${labels.second} is ${sizeText(estimate, unit)} ${direction} than ${labels.first} (${facts}).`;
}
