// The steps of a training run as points and estimates of charts: the same for one run and for several side by side.
import { wilson } from '../shared/statistics/proportions.ts';
import { studentQuantile } from '../shared/statistics/distributions.ts';
import { completedShare, type RunStep } from '../shared/training/run.ts';
import type { Estimate, StepPoint } from './charts/shapes.ts';

/** Below this the interval of a mean is many times as wide as the rewards are apart, and would flatten the curve. */
const LEAST_REWARDS = 4;

/** Reward of each step that has one, with the 95 % interval of its mean by Student's t. */
export const rewardPoints = (steps: readonly RunStep[]): StepPoint[] => steps.flatMap(rewardPoint);

/** Steps of a run have about as many rollouts each: the same few quantiles are asked for again and again. */
const quantiles = new Map<number, number>();
function quantileOf(freedom: number): number {
  const known = quantiles.get(freedom) ?? studentQuantile(0.975, freedom);
  quantiles.set(freedom, known);
  return known;
}

function rewardPoint(step: RunStep): StepPoint[] {
  const { reward, reward_sd: sd, rewarded, rollouts, flat_groups: flat } = step;
  if (reward === null) return [];
  const point = { step: step.step, value: reward, ...((flat ?? 0) > 0 ? { is_flat: true } : {}) };
  const count = rewarded ?? rollouts;
  if (sd === null || count === null || count < LEAST_REWARDS) return [point];
  const half = (quantileOf(count - 1) * sd) / Math.sqrt(count);
  return [{ ...point, low: reward - half, high: reward + half }];
}

export const errorPoints = (steps: readonly RunStep[]): StepPoint[] =>
  steps.flatMap(({ step, format_error_rate: value }) => (value === null ? [] : [{ step, value }]));

/** Steps with a completed share, put together so that at most `most` columns are drawn. */
export function completedStretches(steps: readonly RunStep[], most: number): RunStep[][] {
  const told = steps.filter((step) => completedShare(step) !== null);
  const size = Math.ceil(told.length / most);
  return Array.from({ length: Math.ceil(told.length / Math.max(1, size)) }, (_, index) =>
    told.slice(index * size, (index + 1) * size),
  );
}

export function stretchName(steps: readonly RunStep[]): string {
  const [first, last] = [steps[0]?.step ?? 0, steps.at(-1)?.step ?? 0];
  return first === last ? String(first) : `${String(first)}–${String(last)}`;
}

/** Percent. Counts of a stretch with Wilson's interval, or the mean of shares where only those are told. */
export function completionEstimate(steps: readonly RunStep[]): Estimate {
  if (steps.length === 0) return { value: null };
  const counted = steps.filter(({ completed, judged }) => completed !== null && judged !== null);
  const judged = counted.reduce((sum, step) => sum + (step.judged ?? 0), 0);
  if (counted.length < steps.length || judged === 0) {
    const shares = steps.map((step) => completedShare(step) ?? 0);
    return { value: (shares.reduce((sum, one) => sum + one, 0) / shares.length) * 100 };
  }
  const completed = counted.reduce((sum, step) => sum + (step.completed ?? 0), 0);
  const interval = wilson(completed, judged);
  return {
    value: (completed / judged) * 100,
    low: (interval?.low ?? 0) * 100,
    high: (interval?.high ?? 0) * 100,
    n: judged,
  };
}
