// Several training runs in the same figures, on the same axes: what the recipes draw for each strategy.
import type { TrainingRun } from '../shared/training/run.ts';
import { EXAMPLE_CURVES, EXAMPLE_SOURCE } from '../shared/training/publicExample.ts';
import type { Drawing } from './frame.ts';
import type { PlotSeries } from './plot.ts';
import { errorPoints, rewardPoints } from './runSeries.ts';
import { isBounded } from './scene.ts';
import { completionStretches, formatErrors, rewardCurves } from './trainingCharts.ts';

/** More lines than this cannot be told apart. */
export const COMPARED_MAX = 6;

/** Intervals of more lines hide them. */
const INTERVALS_MAX = 3;
const HIDDEN_INTERVALS = `Intervals of more than ${String(INTERVALS_MAX)} lines would hide them: the figure of each run alone has its own.`;

/** Groups of columns: each holds a column for every run. */
const STRETCHES_MAX = 6;

export const COMPARISON_CAUTION =
  'Each line is one run: what differs between them may be chance. It takes several runs of each kind, and held-out tasks, to show which is better.';

/** At least two runs. */
export function comparisonFigures(runs: readonly TrainingRun[]): Drawing[] {
  const notes = [COMPARISON_CAUTION, ...(runs.some(isExample) ? exampleNotes(runs) : [])];
  const hasIntervals = runs.length <= INTERVALS_MAX;
  const rewards = runs.map(({ run, steps }) => ({
    name: run,
    points: rewardPoints(steps).map(({ x, y, low, high }) => (hasIntervals ? { x, y, low, high } : { x, y })),
  }));
  const errors = runs.map(({ run, steps }) => ({ name: run, points: errorPoints(steps) }));
  const count = String(runs.length);
  return [
    rewardCurves({
      title: `Reward of ${count} runs, by training step`,
      series: rewards,
      hasHiddenIntervals: !hasIntervals,
      notes: [
        hasIntervals ? intervalNote(rewards) : HIDDEN_INTERVALS,
        runs.some(isExample) ? EXAMPLE_SCALE : '',
        ...notes,
      ],
    }),
    ...completionStretches(runs, STRETCHES_MAX, {
      title: `Share of rollouts completed in ${count} runs, by training step`,
      notes,
    }),
    ...(errors.some(({ points }) => points.length > 0)
      ? [
          formatErrors({
            title: `Rollouts with a format error in ${count} runs, by training step`,
            series: errors,
            notes,
          }),
        ]
      : []),
  ];
}

const isExample = ({ source }: TrainingRun): boolean => source === 'example';

const EXAMPLE_SCALE = 'Example: its rewards are shaped by its own rules, on no common scale with other runs.';

/** The example never stands without the run that had no expert. */
const exampleNotes = (runs: readonly TrainingRun[]): string[] =>
  [
    ...runs.filter(isExample).flatMap(({ notes }) => notes.filter((note) => note !== EXAMPLE_CURVES)),
    `Source: ${EXAMPLE_SOURCE}`,
  ].map((note) => `Example: ${note}`);

/** The lines with an interval, and its kind: a line without one is no surer than the others. */
function intervalNote(series: readonly PlotSeries[]): string {
  const having = series.filter(({ points }) => points.some(isBounded));
  if (having.length === 0) return '';
  const bare = series.filter((one) => !having.includes(one));
  const names = (list: readonly PlotSeries[]): string => list.map(({ name }) => name).join(', ');
  const kind = '95 % interval of the mean over the rollouts of a step';
  return bare.length === 0
    ? `Lines: ${kind}.`
    : `Lines: ${kind} of ${names(having)}. No interval is known of ${names(bare)}.`;
}
