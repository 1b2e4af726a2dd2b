// Which figures a training run has: the same in the console and in a report.
import {
  EXAMPLE_BEHAVIOUR,
  EXAMPLE_COMPLETIONS,
  EXAMPLE_CURVES,
  EXAMPLE_PATTERNS,
  EXAMPLE_SCOREBOARD,
  EXAMPLE_SOURCE,
  EXAMPLE_WITHOUT_EXPERT,
} from '../shared/training/publicExample.ts';
import { RECIPE_PHASES } from '../shared/training/phases.ts';
import { completedShare, type RunStep, type TrainingRun } from '../shared/training/run.ts';
import { adaptiveRatio } from './charts/adaptiveRatio.ts';
import { behaviour } from './charts/behaviour.ts';
import { componentStack } from './charts/componentStack.ts';
import { rewardHierarchy } from './charts/rewardHierarchy.ts';
import { scoreboard } from './charts/scoreboard.ts';
import { trainingWheels } from './charts/trainingWheels.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { completions } from './charts/completions.ts';
import { formatErrors } from './charts/formatErrors.ts';
import { rewardCurves } from './charts/rewardCurves.ts';
import {
  completedStretches,
  completionEstimate,
  errorPoints,
  rewardPoints,
  stretchName,
} from './runSeries.ts';

export const THRESHOLDS = [
  { label: 'scaffold above 70 %', share: 0.7 },
  { label: 'independence below 40 %', share: 0.4 },
];

/** Every figure that the run has data for; the reward curve always, which says so where there is none. */
export function trainingFigures(run: TrainingRun): Drawing[] {
  return run.source === 'example' ? exampleFigures(run) : runFigures(run);
}

function runFigures({ run, steps, notes }: TrainingRun): Drawing[] {
  const base = { notes: [...notes] };
  const hasErrors = steps.some(({ format_error_rate: rate }) => rate !== null);
  const path = pathOf(steps);
  const asked = steps.flatMap(({ step, asked: counts }) => (counts === null ? [] : [{ step, ...counts }]));
  return [
    drawingOf(rewardCurves, {
      ...base,
      series: [{ name: run, points: rewardPoints(steps) }],
      notes: [...notes, ...intervalNote(steps)],
    }),
    ...(steps.some((step) => completedShare(step) !== null) ? [completionFigure(steps, run, base)] : []),
    ...(hasErrors
      ? [
          drawingOf(formatErrors, {
            ...base,
            thresholds: THRESHOLDS,
            series: [{ name: run, points: errorPoints(steps) }],
          }),
        ]
      : []),
    ...(path.length === 0 ? [] : [drawingOf(adaptiveRatio, { ...base, path, phases: [...RECIPE_PHASES] })]),
    ...(asked.length === 0 ? [] : [drawingOf(behaviour, { ...base, steps: asked })]),
    ...phaseFigures(steps, base),
    ...partFigures(steps, base),
  ];
}

/** Means over the steps of each phase that is told. */
function phaseFigures(steps: readonly RunStep[], base: { notes: string[] }): Drawing[] {
  const phases = [...Map.groupBy(steps, ({ phase }) => phase)].flatMap(([phase, list]) =>
    phase === null ? [] : [{ phase, list }],
  );
  if (phases.length === 0) return [];
  const metrics = [
    { name: 'Complete', of: completedShare },
    { name: 'Format errors', of: ({ format_error_rate: rate }: RunStep) => rate },
    { name: 'With an expert', of: ({ expert_share: share }: RunStep) => share },
  ].filter(({ of }) => steps.some((step) => of(step) !== null));
  return [
    drawingOf(trainingWheels, {
      ...base,
      phases: phases.map(
        ({ phase, list }) => `${phase}, ${String(list.length)} ${list.length === 1 ? 'step' : 'steps'}`,
      ),
      metrics: metrics.map(({ name, of }) => ({
        name,
        values: phases.map(({ list }) => ({ value: meanOf(list.map(of)) })),
      })),
    }),
  ];
}

function meanOf(values: readonly (number | null)[]): number | null {
  const told = values.filter((value) => value !== null);
  return told.length === 0 ? null : told.reduce((sum, one) => sum + one, 0) / told.length;
}

/** A share among the components, and no reward. */
const FLAT_SHARE = 'groups of equal rewards';

/** The first step and the last that tell their parts. */
function partFigures(steps: readonly RunStep[], base: { notes: string[] }): Drawing[] {
  const told = steps.filter(({ components }) => Object.keys(components).some((name) => name !== FLAT_SHARE));
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    drawingOf(componentStack, {
      ...base,
      rows: (first === last ? [first] : [first, last]).map(({ step, components, rollouts }) => ({
        label: `Step ${String(step)}`,
        n: rollouts,
        parts: Object.entries(components)
          .filter(([name]) => name !== FLAT_SHARE)
          .map(([name, value]) => ({ name, value })),
      })),
    }),
  ];
}

const intervalNote = (steps: readonly RunStep[]): string[] =>
  rewardPoints(steps).some(({ low }) => typeof low === 'number')
    ? [
        'Lines: 95 % interval of the mean over the rollouts of a step, from four rewards on. Rollouts of one prompt are alike, so the true interval is wider.',
      ]
    : [];

const pathOf = (steps: readonly RunStep[]) =>
  steps.flatMap(({ step, format_error_rate: errors, expert_share: share }) =>
    errors === null || share === null ? [] : [{ step, format_error_rate: errors, expert_share: share }],
  );

/** More columns than this cannot be read: steps are put together. */
const COLUMNS_MAX = 12;

function completionFigure(steps: readonly RunStep[], run: string, base: { notes: string[] }): Drawing {
  const stretches = completedStretches(steps, COLUMNS_MAX);
  return drawingOf(completions, {
    ...base,
    title: 'Share of rollouts completed, by training step',
    steps: stretches.map(stretchName),
    rollouts: null,
    unit: 'Completed rollouts, %',
    strategies: [{ name: run, completions: stretches.map(completionEstimate) }],
  });
}

function exampleFigures({ steps, notes }: TrainingRun): Drawing[] {
  const base = { source: EXAMPLE_SOURCE, notes: notes.filter((note) => note !== EXAMPLE_CURVES) };
  const adaptive = 'Adaptive expert';
  return [
    drawingOf(rewardCurves, {
      ...base,
      notes: [...notes],
      title: 'The run with an expert was ahead early; nothing shows that it ended higher',
      is_shaped: true,
      series: [
        {
          name: adaptive,
          points: steps.flatMap(({ step, reward }) => (reward === null ? [] : [{ step, value: reward }])),
        },
        { name: EXAMPLE_WITHOUT_EXPERT.name, points: [...EXAMPLE_WITHOUT_EXPERT.rewards] },
      ],
    }),
    drawingOf(completions, {
      ...base,
      title: 'The run with an expert completed more early; the one without is ahead at its last known steps',
      rollouts: 128,
      steps: [...EXAMPLE_COMPLETIONS.steps],
      strategies: EXAMPLE_COMPLETIONS.strategies.map(({ name, values }) => ({
        name,
        completions: values.map((value) => ({ value })),
      })),
    }),
    drawingOf(formatErrors, {
      ...base,
      title: 'Format errors fell from 88 % to 31 % of rollouts over 29 steps with an expert',
      thresholds: THRESHOLDS,
      series: [{ name: adaptive, points: errorPoints(steps) }],
    }),
    drawingOf(adaptiveRatio, { ...base, path: pathOf(steps), phases: [...RECIPE_PHASES] }),
    drawingOf(behaviour, { ...base, steps: [], totals: { ...EXAMPLE_BEHAVIOUR } }),
    ...phaseFigures(steps, base),
    drawingOf(rewardHierarchy, { ...base, patterns: EXAMPLE_PATTERNS.map((pattern) => ({ ...pattern })) }),
    drawingOf(scoreboard, {
      ...base,
      title: '44.5 % in training with an expert stands beside 55.2 % on validation without one',
      strategies: EXAMPLE_SCOREBOARD.map(({ name, measured, completion: value }) => ({
        name,
        measured,
        completion: { value },
      })),
    }),
  ];
}
