// Data of each chart for tests: as it usually is, and with nothing in it.
import { drawingOf, type Drawing } from '../../src/figures/charts/chart.ts';
import { componentStack } from '../../src/figures/charts/componentStack.ts';
import { environmentOverview } from '../../src/figures/charts/environmentOverview.ts';
import { evaluation } from '../../src/figures/charts/evaluation.ts';
import { lift } from '../../src/figures/charts/lift.ts';
import { rewardHierarchy } from '../../src/figures/charts/rewardHierarchy.ts';
import { scoreboard } from '../../src/figures/charts/scoreboard.ts';
import { trainingWheels } from '../../src/figures/charts/trainingWheels.ts';
import { walkthrough } from '../../src/figures/charts/walkthrough.ts';
import { trainingFigures } from '../../src/figures/trainingFigures.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';

export const FULL: readonly Drawing[] = [
  ...trainingFigures(PUBLIC_EXAMPLE),
  drawingOf(rewardHierarchy, {
    patterns: [
      { name: 'Solo', base: 1, modifier: 1 },
      { name: 'Recovery', base: 1, modifier: 0.3 },
      { name: 'Blind', base: 1, modifier: -0.2 },
      { name: 'Not complete', base: 0.1, modifier: 0 },
      { name: 'Format error', base: -1, modifier: 0 },
    ],
  }),
  drawingOf(componentStack, {
    rows: ['Before', 'After'].map((label, index) => ({
      label,
      n: 20,
      parts: [
        { name: 'Primary objective', value: 0.1 + index * 0.2 },
        { name: 'Process', value: 0.12 },
        { name: 'Format', value: 0.15 },
        { name: 'Efficiency', value: 0.04 + index * 0.02 },
      ],
    })),
  }),
  drawingOf(environmentOverview, {
    scenarios: ['loomline_workflows', 'deskwren_helpdesk', 'maplecart_shop'].map((name, index) => ({
      name,
      tasks: 10,
      tools: 20 + index,
      difficulty: { easy: 3 + index, medium: 4, hard: 3 - index },
      verifier: 'code',
      train: index === 0 ? 0 : 10,
      held_out: index === 0 ? 10 : 0,
      solo_runs: 10 * index,
      solo_completed: 2 * index,
    })),
  }),
  drawingOf(evaluation, {
    kind: 'solo',
    arms: [
      { label: 'Before training', completion: 1 / 33, low: 0.005, high: 0.153, tasks: 33, runs: 33 },
      { label: 'After training', completion: 4 / 33, low: 0.048, high: 0.273, tasks: 33, runs: 33 },
    ],
  }),
  drawingOf(lift, {
    outcome: 'completion, points',
    differences: [
      { label: 'model minus none', estimate: 0, low: -11, high: 11, n: 33, is_shown: false },
      { label: 'human minus none', estimate: 24, low: 9, high: 39, n: 33, is_shown: true },
    ],
  }),
  drawingOf(scoreboard, {
    strategies: [
      { name: 'No expert', measured: 'validation, step 48', completion: { value: 0.552 } },
      { name: 'Adaptive expert', measured: 'training, step 29', completion: { value: 0.445 } },
    ],
  }),
  drawingOf(trainingWheels, {
    phases: ['scaffold, 10 steps', 'balanced, 18 steps', 'independence, 1 step'],
    metrics: [
      {
        name: 'Complete',
        values: [
          { value: 0.1, low: 0.08, high: 0.12 },
          { value: 0.3, low: 0.28, high: 0.32 },
          { value: 0.445 },
        ],
      },
      { name: 'Format errors', values: [{ value: 0.81 }, { value: 0.5 }, { value: 0.31 }] },
    ],
  }),
  drawingOf(walkthrough, {
    task: 'Pause the weekly supplier digest of Finance.',
    steps: [
      { actor: 'agent', who: 'Agent', text: 'list_workflows workspace 1', outcome: 'ok' },
      { actor: 'agent', who: 'Agent', text: 'pause_workflow without an id', outcome: 'error' },
      {
        actor: 'human',
        who: 'Expert',
        text: 'Find the workflow by its name first, then pause it by its id, and read it back to see that it is paused.',
        outcome: 'none',
      },
      { actor: 'agent', who: 'Agent', text: 'pause_workflow 7', outcome: 'ok' },
      { actor: 'verifier', who: 'Verifier', text: 'complete', outcome: 'ok' },
    ],
  }),
];

export const POOR: readonly Drawing[] = [
  ...trainingFigures({ run: 'r', source: 'csv', notes: [], steps: [], unread: [] }),
  drawingOf(rewardHierarchy, { patterns: [] }),
  drawingOf(componentStack, { rows: [] }),
  drawingOf(environmentOverview, { scenarios: [] }),
  drawingOf(evaluation, { kind: 'solo', arms: [] }),
  drawingOf(lift, { outcome: 'completion', differences: [] }),
  drawingOf(scoreboard, { strategies: [] }),
  drawingOf(trainingWheels, { phases: [], metrics: [] }),
  drawingOf(walkthrough, { task: 't', steps: [] }),
];
