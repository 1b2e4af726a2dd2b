// A training run as figures and reports read it: one entry a step, whatever it was read from.
import { z } from 'zod';

const finite = z.number().refine(Number.isFinite, 'a finite number');
const maybe = finite.nullable().default(null);
const count = z.number().int().nonnegative().nullable().default(null);
/** From 0 to 1. */
const share = z.number().min(0).max(1).nullable().default(null);

/** Null is what nobody said; nothing stands for zero but zero. */
export const RunStep = z.strictObject({
  step: z.number().int(),
  /** Mean over the rollouts of the step that have one. */
  reward: maybe,
  /** Deviation over the same rollouts. */
  reward_sd: maybe,
  components: z.record(z.string(), finite).default({}),
  rollouts: count,
  /** Rollouts that have a reward; null where nobody counted them. */
  rewarded: count,
  /** Rollouts that the verifier judged, and those it calls complete. */
  judged: count,
  completed: count,
  /** Where only a share is told. */
  completed_share: share,
  format_error_rate: share,
  timeout_rate: share,
  phase: z.string().nullable().default(null),
  expert_share: share,
  /** A person's time on the rollouts of the step. */
  expert_minutes: maybe,
  /** Groups of rollouts of one prompt, and those in which every reward is the same: they teach a trainer nothing. */
  groups: count,
  flat_groups: count,
  /** How the rollouts asked: alone and completed, after a failed try, before any. */
  asked: z
    .strictObject({
      solo: z.number().int().nonnegative(),
      recovery: z.number().int().nonnegative(),
      blind: z.number().int().nonnegative(),
    })
    .nullable()
    .default(null),
});
export type RunStep = z.infer<typeof RunStep>;

export const RunSource = z.enum(['episodes', 'jsonl', 'csv', 'trainer_state', 'reports', 'example']);
export type RunSource = z.infer<typeof RunSource>;

export const TrainingRun = z.strictObject({
  run: z.string().min(1),
  source: RunSource,
  /** Said with the run wherever it is shown. */
  notes: z.array(z.string()).default([]),
  steps: z.array(RunStep),
  /** Names of what was read and is in none of the fields. */
  unread: z.array(z.string()).default([]),
});
export type TrainingRun = z.infer<typeof TrainingRun>;

/** A step with nothing told but its number. */
export const emptyStep = (step: number): RunStep => RunStep.parse({ step });

/** Joins two reports of a step: a gap in the later one keeps the earlier. */
export function joinedStep(before: RunStep | undefined, step: RunStep): RunStep {
  if (before === undefined) return step;
  const told = Object.entries(step).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(told), components: { ...before.components, ...step.components } };
}

/** The completed share of a step, counted or told. */
export const completedShare = ({ completed, judged, completed_share: told }: RunStep): number | null =>
  completed !== null && judged !== null && judged > 0 ? completed / judged : told;

/** The run that a trainer's log tells of: the file's name without its ending. */
export const runNameOf = (file: string): string =>
  file.replace(/\.(?:jsonl?|csv)$/i, '').slice(0, 200) || 'run';

export const RECIPE_PHASES = [
  { name: 'independence', from: 0, to: 0.4, expert_share: 0.25 },
  { name: 'balanced', from: 0.4, to: 0.7, expert_share: 0.5 },
  { name: 'scaffold', from: 0.7, to: 1, expert_share: 0.75 },
] as const;
