// The numbers that OpenEnv PR #428 publishes of its training runs, as far as they are published. They are facts of that
// source; nothing is added, and what it does not say is null.
import { emptyStep, TrainingRun, type RunStep } from './run.ts';

export const EXAMPLE_RUN = 'example: expert in the loop';
export const EXAMPLE_SOURCE = 'OpenEnv PR #428, 128 rollouts a step';

/** Step, reward, format errors in percent, completions of 128, phase. */
type ExampleRow = readonly [step: number, reward: number, errors: number, completed: number, phase: string];
const ADAPTIVE: readonly ExampleRow[] = [
  [1, -0.528, 88.3, 7, 'scaffold'],
  [2, -0.577, 85.9, 4, 'scaffold'],
  [3, -0.362, 84.4, 12, 'scaffold'],
  [4, -0.606, 89.8, 4, 'scaffold'],
  [5, -0.427, 87.5, 13, 'scaffold'],
  [6, -0.201, 81.3, 13, 'scaffold'],
  [7, -0.396, 81.3, 15, 'scaffold'],
  [8, -0.421, 75, 12, 'scaffold'],
  [9, -0.076, 72.7, 24, 'scaffold'],
  [10, -0.021, 65.6, 25, 'scaffold'],
  [11, 0.316, 65.6, 28, 'balanced'],
  [12, 0.264, 60.2, 28, 'balanced'],
  [13, 0.156, 60.2, 28, 'balanced'],
  [14, 0.056, 62.5, 18, 'balanced'],
  [15, 0.589, 56.3, 41, 'balanced'],
  [16, 0.48, 54.7, 36, 'balanced'],
  [17, 0.435, 44.5, 38, 'balanced'],
  [18, 0.37, 53.9, 29, 'balanced'],
  [19, 0.365, 50.8, 36, 'balanced'],
  [20, 0.603, 50, 37, 'balanced'],
  [21, 0.29, 43, 37, 'balanced'],
  [22, 0.478, 43, 51, 'balanced'],
  [23, 0.824, 43, 51, 'balanced'],
  [24, 0.519, 50, 41, 'balanced'],
  [25, 0.493, 44.5, 31, 'balanced'],
  [26, 0.295, 43, 50, 'balanced'],
  [27, 0.571, 43.8, 42, 'balanced'],
  [28, 0.426, 35.2, 53, 'balanced'],
  [29, 0.407, 31.3, 57, 'independence'],
];
const SHARES: Readonly<Record<string, number>> = { scaffold: 0.75, balanced: 0.5, independence: 0.25 };

/** Said where the curves of both runs are drawn. */
export const EXAMPLE_CURVES =
  'The rewards include bonuses for how the agent asked; whether those of the run without an expert do is not said, so the two curves need not be on one scale.';

/** Said of the example wherever it stands; the figures leave out what is not of them. */
const EXAMPLE_NOTES: readonly string[] = [
  'The same source trained for 48 steps without an expert: validation 3.4 % at step 0 and 55.2 % at step 48, reward above zero from step 16 (+0.15). Over steps 16–17 that run completed 39.0 of 128 on average, this one 37.0.',
  'So the run with help was ahead over the first 15 steps; nothing in the source shows a better agent at the end. Its scoreboard calls the run without an expert “never positive”, against its own text.',
  EXAMPLE_CURVES,
];

export const PUBLIC_EXAMPLE: TrainingRun = TrainingRun.parse({
  run: EXAMPLE_RUN,
  source: 'example',
  notes: [...EXAMPLE_NOTES],
  steps: ADAPTIVE.map(([step, reward, errors, completed, phase]): RunStep => ({
    ...emptyStep(step),
    reward,
    rollouts: 128,
    judged: 128,
    completed,
    format_error_rate: errors / 100,
    phase,
    expert_share: SHARES[phase] ?? null,
  })),
});

/** The run without an expert: single rewards that the text names. */
export const EXAMPLE_WITHOUT_EXPERT = {
  name: 'No expert, 48 steps',
  rewards: [
    { step: 1, value: -0.67 },
    { step: 9, value: -0.4 },
    { step: 16, value: 0.15 },
    { step: 42, value: 0.75 },
  ],
  validation: [
    { step: 0, value: 0.034 },
    { step: 48, value: 0.552 },
  ],
} as const;

/** Mean completions of 128 over stretches of steps; those of the adaptive run are means of its own series. */
export const EXAMPLE_COMPLETIONS = {
  steps: ['1–5', '6–10', '11–15', '16–17'],
  strategies: [
    { name: 'No expert', values: [2.4, 4.4, 13, 39] },
    { name: 'Fixed half', values: [8.2, 11, 19.2, 25] },
    { name: 'Adaptive', values: [8, 17.8, 28.6, 37] },
  ],
} as const;

/** Rollouts by kind of asking, over all 29 steps; the source has no counts by step. */
export const EXAMPLE_BEHAVIOUR = { solo: 635, recovery: 272, blind: 1115, over: '29 steps' } as const;

/** The source's pay for each way the agent asked. */
export const EXAMPLE_PATTERNS = [
  { name: 'Solo', base: 1, modifier: 1 },
  { name: 'Recovery', base: 1, modifier: 0.3 },
  { name: 'Blind', base: 1, modifier: -0.2 },
  { name: 'Incomplete', base: 0.1, modifier: 0 },
  { name: 'Format error', base: -1, modifier: 0 },
] as const;

/** The last completion that the source tells of each, and what it was measured on. */
export const EXAMPLE_SCOREBOARD = [
  { name: 'No expert', measured: 'validation, step 48', completion: 0.552 },
  { name: 'Adaptive expert', measured: 'training, step 29', completion: 0.445 },
] as const;
