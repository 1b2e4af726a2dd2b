// The steps of a training run as points of charts and as a table: the same for one run and for several side by side.
import { wilson } from '../shared/statistics/proportions.ts';
import { studentQuantile } from '../shared/statistics/distributions.ts';
import { completedShare, type RunStep } from '../shared/training/run.ts';
import type { PlotPoint } from './plot.ts';
import type { Bounds } from './scene.ts';
import { cellText, formatPercent } from './text.ts';

/** Below this the interval of a mean is many times as wide as the rewards are apart, and would flatten the curve. */
const LEAST_REWARDS = 4;

/** Reward of each step that has one, with the 95 % interval of its mean by Student's t. */
export const rewardPoints = (steps: readonly RunStep[]): PlotPoint[] => steps.flatMap(rewardPoint);

/** Steps of a run have about as many rollouts each: the same few quantiles are asked for again and again. */
const quantiles = new Map<number, number>();
function quantileOf(freedom: number): number {
  const known = quantiles.get(freedom) ?? studentQuantile(0.975, freedom);
  quantiles.set(freedom, known);
  return known;
}

/** Hollow: some group of rollouts had one reward in all of them, from which a trainer that compares them learns nothing. */
function rewardPoint({
  step,
  reward,
  reward_sd: sd,
  rewarded,
  rollouts,
  flat_groups: flat,
}: RunStep): PlotPoint[] {
  if (reward === null) return [];
  const point = { x: step, y: reward, ...((flat ?? 0) > 0 ? { isHollow: true } : {}) };
  const count = rewarded ?? rollouts;
  if (sd === null || count === null || count < LEAST_REWARDS) return [point];
  const half = (quantileOf(count - 1) * sd) / Math.sqrt(count);
  return [{ ...point, low: reward - half, high: reward + half }];
}

/** Percent. */
export const errorPoints = (steps: readonly RunStep[]): PlotPoint[] =>
  steps.flatMap(({ step, format_error_rate: rate }) => (rate === null ? [] : [{ x: step, y: rate * 100 }]));

/** Percent. Counts of a stretch with Wilson's interval, or the mean of shares where only those are told. */
export function completionEstimate(steps: readonly RunStep[]): Bounds & { value: number | null } {
  if (steps.length === 0) return { value: null };
  const counted = steps.filter(({ completed, judged }) => completed !== null && judged !== null);
  const judged = counted.reduce((sum, step) => sum + (step.judged ?? 0), 0);
  if (counted.length < steps.length || judged === 0) {
    const shares = steps.map((step) => completedShare(step) ?? 0);
    return { value: (shares.reduce((sum, one) => sum + one, 0) / shares.length) * 100 };
  }
  const completed = counted.reduce((sum, step) => sum + (step.completed ?? 0), 0);
  const { low = 0, high = 0 } = wilson(completed, judged) ?? {};
  return { value: (completed / judged) * 100, low: low * 100, high: high * 100 };
}

type Column = readonly [name: string, text: (step: RunStep) => string];
const COLUMNS: readonly Column[] = [
  ['Reward', ({ reward }) => cellText(reward)],
  [
    'Complete',
    (step) => {
      const share = completedShare(step);
      if (step.completed !== null && step.judged !== null)
        return `${String(step.completed)} of ${String(step.judged)}`;
      return share === null ? cellText(step.completed) : formatPercent(share);
    },
  ],
  ['Format errors', ({ format_error_rate: rate }) => cellText(rate, formatPercent)],
  ['Timeouts', ({ timeout_rate: rate }) => cellText(rate, formatPercent)],
  ['Phase', ({ phase }) => phase ?? '–'],
  ['With expert', ({ expert_share: share }) => cellText(share, formatPercent)],
  ['Expert minutes', ({ expert_minutes: minutes }) => cellText(minutes)],
  [
    'Groups of equal rewards',
    ({ groups, flat_groups: flat }) =>
      flat === null ? '–' : `${String(flat)}${groups === null ? '' : ` of ${String(groups)}`}`,
  ],
];

/** A row for each step, and a column for everything that some step tells. */
export function stepTable(steps: readonly RunStep[]): { columns: string[]; rows: string[][] } {
  const parts = [...new Set(steps.flatMap(({ components }) => Object.keys(components)))];
  const columns = [
    ...COLUMNS.filter(([, text]) => steps.some((step) => text(step) !== '–')),
    ...parts.map((name): Column => [name, ({ components }) => cellText(components[name])]),
  ];
  return {
    columns: ['Step', ...columns.map(([name]) => name)],
    rows: steps.map((step) => [String(step.step), ...columns.map(([, text]) => text(step))]),
  };
}
