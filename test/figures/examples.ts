// Data of each chart for tests: as it usually is, and with nothing in it.
import { benchFigures, liftFigures } from '../../src/figures/benchFigures.ts';
import { environmentOverview } from '../../src/figures/environmentOverview.ts';
import type { Drawing } from '../../src/figures/frame.ts';
import { trainingFigures } from '../../src/figures/trainingFigures.ts';
import { walkthroughFigure } from '../../src/figures/walkthrough.ts';
import type { ScenarioOverview } from '../../src/shared/environmentOverview.ts';
import { episodeSummary } from '../../src/shared/episode/walkthrough.ts';
import type { LiftSummary } from '../../src/shared/lift/summary.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';
import { emptyStep, type RunStep, type TrainingRun } from '../../src/shared/training/run.ts';
import { assisted } from '../renderer/parts/episodes.ts';
import { BENCH } from '../support/benchSummary.ts';
import { measuredLift } from '../support/measuredLift.ts';

export const runOf = (
  run: string,
  count: number,
  over: (step: number) => Partial<RunStep> = () => ({}),
): TrainingRun => ({
  run,
  source: 'csv',
  notes: [],
  unread: [],
  steps: Array.from({ length: count }, (_, at) => ({ ...emptyStep(at + 1), ...over(at + 1) })),
});

/** Says everything of its steps that a figure can draw. */
const MEASURED = runOf('measured', 12, (step) => ({
  reward: step / 12,
  reward_sd: 0.4,
  rollouts: 16,
  judged: 16,
  completed: step,
  format_error_rate: 0.9 - step / 20,
  phase: step < 6 ? 'scaffold' : 'balanced',
  expert_share: step < 6 ? 0.75 : 0.5,
  components: { primary: step / 20, process: 0.12, format: -0.1 },
  asked: { solo: step, recovery: 3, blind: 1 },
}));

const scenario = (name: string, held: boolean): ScenarioOverview => ({
  name,
  tasks: 10,
  tools: 20,
  difficulty: { easy: 3, medium: 4, hard: 3 },
  verifier: 'code',
  train: held ? 0 : 10,
  held_out: held ? 10 : 0,
  solo_runs: 10,
  solo_completed: 2,
});
const SCENARIOS = [scenario('loomline_workflows', true), scenario('deskwren_helpdesk', false)];

const overall: LiftSummary['overall'] = {
  interventions: 2,
  tasks: 1,
  estimate: 0.24,
  low: -0.09,
  high: 0.57,
  test: 'sign_flip_exact',
  p: 0.25,
  is_shown: false,
  says: 'No lift is shown.',
};
const interventions = [
  measuredLift('a').measured,
  measuredLift('b', { estimate: -0.25, low: null, high: null, kind: 'descriptive' }).measured,
];

export const FULL: readonly Drawing[] = [
  ...trainingFigures(PUBLIC_EXAMPLE),
  ...trainingFigures(MEASURED).map((drawing) => ({ ...drawing, name: `${drawing.name}, measured` })),
  ...benchFigures(BENCH),
  ...liftFigures({ overall, interventions, cautions: [] }),
  environmentOverview(SCENARIOS),
  walkthroughFigure(episodeSummary(assisted().record())),
];

const [solo] = BENCH.arms;
const uncounted = { estimate: null, interval: null, method: null };
export const POOR: readonly Drawing[] = [
  ...trainingFigures(runOf('r', 0)),
  ...benchFigures({
    ...BENCH,
    arms: solo === undefined ? [] : [{ ...solo, completion: uncounted }],
    primary: { ...BENCH.primary, estimate: null, interval: null },
  }),
  ...liftFigures({
    overall: { ...overall, estimate: null, low: null, high: null },
    interventions: [],
    cautions: [],
  }),
  environmentOverview([]),
  walkthroughFigure({ ...episodeSummary(assisted().record()), walkthrough: [] }),
];
