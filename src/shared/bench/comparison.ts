// Two arms compared on the same tasks, and what that says in plain words. Pure.
import { bootstrapMean } from '../statistics/bootstrap.ts';
import { deviationOf, meanOf, type Interval } from '../statistics/means.ts';
import { ALPHA, leastMeanDifference, leastPairedDifference, POWER } from '../statistics/power.ts';
import { mcnemarExact, pairedDifference, type PairedCounts } from '../statistics/proportions.ts';
import { signFlip } from '../statistics/signFlip.ts';
import type { BenchPlan } from './plan.ts';
import type { Comparison, PrimaryComparison } from './summary.ts';
import { completed, taskDifferences, taskMean, type TaskRuns, type ValueOf } from './taskMeans.ts';

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
  if (plan.seeds.length > 1) return compareMeans(plan, tasks, pair, 'completion', completed);
  const counts = pairCounts(tasks, pair);
  const found = pairedDifference(counts);
  if (found === null) return NOTHING;
  return {
    tasks: taskDifferences(tasks, pair, completed).length,
    estimate: found.estimate,
    interval: { low: found.low, high: found.high },
    interval_method: 'newcombe',
    test: 'mcnemar_exact',
    p: mcnemarExact(counts),
  };
}

export function compareMeans(
  plan: BenchPlan,
  tasks: readonly TaskRuns[],
  pair: Pair,
  outcome: string,
  valueOf: ValueOf,
): Compared {
  const differences = taskDifferences(tasks, pair, valueOf);
  if (differences.length === 0) return NOTHING;
  const seed = `${String(plan.order_seed)} ${pair.first} ${pair.second} ${outcome}`;
  const interval = bootstrapMean(differences, { seed });
  const { p, method } = signFlip(differences, seed);
  return {
    tasks: differences.length,
    estimate: meanOf(differences),
    interval,
    interval_method: interval === null ? null : 'bootstrap',
    test: method === 'exact' ? 'sign_flip_exact' : 'sign_flip_monte_carlo',
    p,
  };
}

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

/** The least true difference in completion that this bench would have shown most of the time. */
export function powerOf(plan: BenchPlan, tasks: readonly TaskRuns[], pair: Pair): PrimaryComparison['power'] {
  const least = leastDifference(plan, tasks, pair);
  const says =
    least === null
      ? 'With so few tasks, this bench could not have shown any difference.'
      : `This bench could have shown a difference of ${points(least)} or more: four times of five, at 5 %.`;
  return { power: POWER, alpha: ALPHA, least_difference: least, says };
}

function leastDifference(plan: BenchPlan, tasks: readonly TaskRuns[], pair: Pair): number | null {
  const differences = taskDifferences(tasks, pair, completed);
  const count = differences.length;
  const deviation = deviationOf(differences) ?? 0;
  if (plan.seeds.length > 1 && deviation > 0)
    return leastMeanDifference({ deviation, tasks: count, step: 1 / plan.seeds.length });
  // Where nothing varied, a task counts as solved always or never: that takes the largest difference to show.
  const { onlyFirst, onlySecond } = pairCounts(tasks, pair);
  return count === 0 ? null : leastPairedDifference(Math.min(onlyFirst, onlySecond) / count, count);
}

/** A share in points of a hundred: `18.2 points`. */
export const points = (share: number): string => {
  const size = Math.abs(share * 100);
  return `${size.toFixed(1)} ${size.toFixed(1) === '1.0' ? 'point' : 'points'}`;
};

export const isShownAt = (p: number | null): boolean => p !== null && p < ALPHA;

const pText = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${p.toFixed(4)}`);

type Unit = { share: boolean; name: string };

const sizeText = (value: number, { share }: Unit): string =>
  share ? points(value) : String(Number(Math.abs(value).toPrecision(3)));

const intervalText = ({ low, high }: Interval, { share }: Unit): string => {
  const one = (value: number): string =>
    share ? (100 * value).toFixed(1) : String(Number(value.toPrecision(3)));
  return `95 % interval ${one(low)} to ${one(high)}`;
};

/** One sentence, as plain for no difference as for one. `p` is the value that decides. */
export function sentenceOf(
  { estimate, interval, tasks }: Pick<Comparison, 'estimate' | 'interval' | 'tasks'>,
  p: number | null,
  labels: Pair,
  unit: Unit,
): string {
  if (estimate === null || p === null)
    return `${unit.name}: nothing to compare, no task was measured in both arms.`;
  const facts = [
    ...(interval === null ? [] : [intervalText(interval, unit)]),
    pText(p),
    `${String(tasks)} ${tasks === 1 ? 'task' : 'tasks'}`,
  ].join(', ');
  if (!isShownAt(p))
    return `${unit.name}: no difference shown between ${labels.first} and ${labels.second} (${estimate < 0 ? '−' : ''}${sizeText(estimate, unit)}; ${facts}).`;
  const direction = estimate > 0 ? 'higher' : 'lower';
  return `${unit.name}: ${labels.second} is ${sizeText(estimate, unit)} ${direction} than ${labels.first} (${facts}).`;
}
