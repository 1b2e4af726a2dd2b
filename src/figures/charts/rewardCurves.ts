import { z } from 'zod';
import { countText } from '../../shared/countText.ts';
import { formatNumber } from '../text.ts';
import { MARKS_MAX, xyChart } from '../xyChart.ts';
import { defineChart } from './chart.ts';
import { anyInterval, Frame, noIntervals, notesOf, number, StepSeries, xyPoints } from './shapes.ts';

const RewardCurvesData = z.strictObject({
  ...Frame,
  series: z.array(StepSeries),
  /** The untrained model's reward, as a line across. */
  baseline: z.strictObject({ label: z.string().min(1), value: number }).optional(),
  /** What the reward is made of; shaped rewards are diagnostic. */
  unit: z.string().default('Mean reward of a step'),
  is_shaped: z.boolean().default(false),
  /** Intervals are known and left out: a note says why. */
  has_hidden_intervals: z.boolean().default(false),
});

/** Reward by training step, one line for each strategy, with zero and the untrained baseline. */
export const rewardCurves = defineChart({
  name: 'reward-curves',
  data: RewardCurvesData,
  figure: (data, options) => {
    const all = data.series.flatMap(({ points }) => points);
    return xyChart(
      {
        name: 'reward-curves',
        title: data.title ?? titleOf(data.series),
        subtitle: `${data.unit}, by training step${data.is_shaped ? '. Shaped reward: a diagnostic, not a result' : ''}`,
        notes: notesOf(
          data,
          all.length > 0 && !data.has_hidden_intervals && noIntervals(anyInterval(all)),
          flatNote(data.series),
        ),
        x: { label: 'Training step', isInteger: true },
        y: { label: 'Reward', include: [0] },
        series: data.series.map(({ name, points }) => ({ name, points: xyPoints(points) })),
        levels: data.baseline === undefined ? [] : [{ y: data.baseline.value, label: data.baseline.label }],
        empty: 'No step of this run has a reward yet, so there is no curve to draw.',
      },
      options,
    );
  },
});

/** Marks are drawn in short series alone: in long ones the note has the count. */
function flatNote(series: readonly StepSeries[]): string | null {
  const points = series.flatMap((one) => one.points);
  const flat = points.filter(({ is_flat: isFlat }) => isFlat === true).length;
  if (flat === 0) return null;
  const areMarked = series.every((one) => one.points.length <= MARKS_MAX);
  return `${areMarked ? 'Hollow marks' : 'Groups of equal rewards'}: in ${String(flat)} of ${countText(points.length, 'step')} some group of rollouts had one reward in all of them, which teaches a trainer nothing.`;
}

function titleOf(series: readonly StepSeries[]): string {
  const [only] = series;
  if (series.length !== 1 || only === undefined || only.points.length === 0) return 'Reward by training step';
  const [first, last] = [only.points[0], only.points.at(-1)];
  if (first === undefined || last === undefined || first === last)
    return `${only.name}: reward ${formatNumber(first?.value ?? 0)} at step ${formatNumber(first?.step ?? 0)}`;
  const went = last.value > first.value ? 'rose' : last.value < first.value ? 'fell' : 'stayed';
  const from =
    went === 'stayed'
      ? `at ${formatNumber(last.value)} from step ${formatNumber(first.step)} to step ${formatNumber(last.step)}`
      : `from ${formatNumber(first.value)} at step ${formatNumber(first.step)} to ${formatNumber(last.value)} at step ${formatNumber(last.step)}`;
  return `${only.name}: reward ${went} ${from}`;
}
