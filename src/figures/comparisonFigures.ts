// Several training runs in the same figures, on the same axes: what the recipes draw for each strategy.
import { completedShare, type TrainingRun } from '../shared/training/run.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { completions } from './charts/completions.ts';
import { formatErrors } from './charts/formatErrors.ts';
import { rewardCurves } from './charts/rewardCurves.ts';
import { EXAMPLE_SOURCE } from '../shared/training/publicExample.ts';
import { completionEstimate, errorPoints, rewardPoints } from './runSeries.ts';
import { THRESHOLDS } from './trainingFigures.ts';

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
  const series = runs.map(({ run, steps }) => ({
    name: run,
    points: rewardPoints(steps).map(({ step, value, low, high }) =>
      hasIntervals ? { step, value, low, high } : { step, value },
    ),
  }));
  const errors = runs.map(({ run, steps }) => ({ name: run, points: errorPoints(steps) }));
  return [
    drawingOf(rewardCurves, {
      title: `Reward of ${String(runs.length)} runs, by training step`,
      series,
      has_hidden_intervals: !hasIntervals,
      notes: hasIntervals ? notes : [HIDDEN_INTERVALS, ...notes],
    }),
    ...(runs.some(({ steps }) => steps.some((step) => completedShare(step) !== null))
      ? [completionColumns(runs, notes)]
      : []),
    ...(errors.some(({ points }) => points.length > 0)
      ? [
          drawingOf(formatErrors, {
            title: `Rollouts with a format error in ${String(runs.length)} runs, by training step`,
            series: errors,
            thresholds: THRESHOLDS,
            notes,
          }),
        ]
      : []),
  ];
}

const isExample = ({ source }: TrainingRun): boolean => source === 'example';

/** The example never stands without the run that had no expert, nor as if its rewards were of one scale with others. */
const exampleNotes = (runs: readonly TrainingRun[]): string[] => [
  ...runs.filter(isExample).flatMap((run) => run.notes),
  `Its rewards are shaped by its own rules: they are on no common scale with other runs. Source: ${EXAMPLE_SOURCE}`,
];

/** Stretches of equal length over the steps of all runs; a run that has none there has no column. */
function completionColumns(runs: readonly TrainingRun[], notes: string[]): Drawing {
  const told = runs.map(({ steps }) => steps.filter((step) => completedShare(step) !== null));
  const all = told.flat().map(({ step }) => step);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const size = Math.max(1, Math.ceil((last - first + 1) / STRETCHES_MAX));
  const starts = Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, at) => first + at * size);
  return drawingOf(completions, {
    title: `Share of rollouts completed in ${String(runs.length)} runs, by training step`,
    steps: starts.map((from) => (size === 1 ? String(from) : `${String(from)}–${String(from + size - 1)}`)),
    rollouts: null,
    unit: 'Completed rollouts, %',
    strategies: runs.map(({ run }, index) => ({
      name: run,
      completions: starts.map((from) =>
        completionEstimate((told[index] ?? []).filter(({ step }) => step >= from && step < from + size)),
      ),
    })),
    notes,
  });
}
