// Figures of a training run: the same in the console and in a report.
import {
  EXAMPLE_BEHAVIOUR,
  EXAMPLE_COMPLETIONS,
  EXAMPLE_CURVES,
  EXAMPLE_PATTERNS,
  EXAMPLE_SCOREBOARD,
  EXAMPLE_SOURCE,
  EXAMPLE_WITHOUT_EXPERT,
} from '../shared/training/publicExample.ts';
import type { TrainingRun } from '../shared/training/run.ts';
import type { Drawing } from './frame.ts';
import { rowChart } from './rows.ts';
import { errorPoints, rewardPoints } from './runSeries.ts';
import { isBounded } from './scene.ts';
import { formatNumber } from './text.ts';
import {
  adaptiveRatio,
  ASKED,
  behaviour,
  completions,
  completionStretches,
  componentStack,
  formatErrors,
  rewardCurves,
  trainingWheels,
} from './trainingCharts.ts';

/** Every figure that the run has data for; the reward curve always, which says so where there is none. */
export function trainingFigures(run: TrainingRun): Drawing[] {
  if (run.source === 'example') return exampleFigures(run);
  const { run: name, steps, notes } = run;
  const rewards = rewardPoints(steps);
  const errors = errorPoints(steps);
  return [
    rewardCurves({
      series: [{ name, points: rewards }],
      notes: [...notes, rewards.some(isBounded) ? INTERVALS : ''],
    }),
    ...completionStretches([run], COLUMNS_MAX, {
      title: 'Share of rollouts completed, by training step',
      notes,
    }),
    ...(errors.length === 0 ? [] : [formatErrors({ series: [{ name, points: errors }], notes })]),
    ...adaptiveRatio(steps, notes),
    ...behaviour(steps, notes),
    ...trainingWheels(steps, notes),
    ...componentStack(steps, notes),
  ];
}

const INTERVALS =
  'Lines: 95 % interval of the mean over the rollouts of a step, from four rewards on. Rollouts of one prompt are alike, so the true interval is wider.';

/** More columns than this cannot be read. */
const COLUMNS_MAX = 12;

/** The published run, always with what its source says of the run without an expert. */
function exampleFigures({ steps, notes: all }: TrainingRun): Drawing[] {
  const source = `Source: ${EXAMPLE_SOURCE}`;
  const notes = [...all.filter((note) => note !== EXAMPLE_CURVES), source];
  const name = 'Adaptive expert';
  return [
    rewardCurves({
      title: 'The run with an expert was ahead early; nothing shows that it ended higher',
      series: [
        { name, points: rewardPoints(steps) },
        {
          name: EXAMPLE_WITHOUT_EXPERT.name,
          points: EXAMPLE_WITHOUT_EXPERT.rewards.map(({ step, value }) => ({ x: step, y: value })),
        },
      ],
      notes: [...all, source],
      isShaped: true,
    }),
    completions({
      title: 'The run with an expert completed more early; the one without is ahead at its last known steps',
      subtitle: 'Rollouts that the verifier calls complete, of 128 a step',
      unit: 'Completed rollouts',
      stretches: EXAMPLE_COMPLETIONS.steps,
      series: EXAMPLE_COMPLETIONS.strategies.map((one) => ({
        name: one.name,
        points: one.values.map((y, x) => ({ x, y })),
      })),
      notes,
    }),
    formatErrors({
      title: 'Format errors fell from 88 % to 31 % of rollouts over 29 steps with an expert',
      series: [{ name, points: errorPoints(steps) }],
      notes,
    }),
    ...adaptiveRatio(steps, notes),
    exampleBehaviour(notes),
    ...trainingWheels(steps, notes),
    rewardHierarchy(notes),
    scoreboard(notes),
  ];
}

/** The sums alone: the source has no counts by step. */
function exampleBehaviour(notes: readonly string[]): Drawing {
  const { over, ...totals } = EXAMPLE_BEHAVIOUR;
  return rowChart({
    name: 'behaviour',
    title: `Over ${over} the agent asked ${formatNumber(totals.blind, 6)} times before it had tried anything`,
    subtitle: `Counts over ${over}; the source has no counts by step`,
    notes,
    x: { label: 'Count' },
    shape: 'bar',
    rows: ASKED.map(({ key, name, colour }) => ({ label: name, value: totals[key], colour })),
  });
}

/** The worth of an episode by how the agent asked. */
const rewardHierarchy = (notes: readonly string[]): Drawing =>
  rowChart({
    name: 'reward-hierarchy',
    title: `Worth most to least: ${EXAMPLE_PATTERNS.map(({ name }) => name)
      .join(', ')
      .toLowerCase()}`,
    subtitle: 'Shaped reward of one episode: base and modifier. A diagnostic, not a result',
    notes: ['A diamond stands where base and modifier come to.', ...notes],
    x: { label: 'Reward' },
    shape: 'bar',
    rows: EXAMPLE_PATTERNS.map(({ name, base, modifier }) => ({
      label: name,
      value: base + modifier,
      parts: [
        { name: 'Base', value: base, colour: 'verifier' as const },
        ...(modifier === 0 ? [] : [{ name: 'Modifier', value: modifier, colour: 'human' as const }]),
      ],
    })),
  });

/** The last completion of each strategy, with what it was measured on. */
const scoreboard = (notes: readonly string[]): Drawing =>
  rowChart({
    name: 'scoreboard',
    title: '44.5 % in training with an expert stands beside 55.2 % on validation without one',
    subtitle: 'Rollouts that the verifier calls complete, percent',
    notes: [
      'Measured on different tasks or with different help: these figures do not compare.',
      'Where no line is drawn, the source gives no interval.',
      ...notes,
    ],
    x: { label: 'Complete, %', domain: [0, 100] },
    shape: 'dot',
    rows: EXAMPLE_SCOREBOARD.map(({ name, measured, completion }) => ({
      label: name,
      value: completion * 100,
      note: measured,
    })),
  });
