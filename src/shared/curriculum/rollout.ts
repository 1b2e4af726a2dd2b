// The outcome of one rollout of a training run, as far as a curriculum asks, and the name of its task.
import { z } from 'zod';

/** `evaluation`: played to measure, so it decides nothing. */
export const Arm = z.enum(['expert', 'solo', 'evaluation']);
export type Arm = z.infer<typeof Arm>;

/** From no hint to the most telling one. */
export const HintTier = z.enum(['none', 'knowledge', 'plan', 'solution']);
export type HintTier = z.infer<typeof HintTier>;
export const HINT_TIERS = HintTier.options;

export const Difficulty = z.enum(['easy', 'medium', 'hard']);
export type Difficulty = z.infer<typeof Difficulty>;
export const DIFFICULTIES = Difficulty.options;

/** A task of the one environment that a run trains in. */
export const TaskName = z.strictObject({
  scenario: z.string().max(300).nullable().default(null),
  task_idx: z.number().int().nullable().default(null),
});
export type TaskName = z.infer<typeof TaskName>;
export const taskKey = ({ scenario, task_idx }: TaskName): string => JSON.stringify([scenario, task_idx]);

export const CurriculumTask = TaskName.extend({ difficulty: Difficulty.nullable().default(null) });
export type CurriculumTask = z.infer<typeof CurriculumTask>;

/** A key of the gateway, as a run knows it: never its secret. */
export const RunKey = z.strictObject({ id: z.string(), name: z.string() });
export type RunKey = z.infer<typeof RunKey>;

/** Null is what nobody knows. */
export const RolloutOutcome = TaskName.extend({
  step: z.number().int(),
  /** Rollouts of one prompt at one step share it. */
  group: z.string().max(300).nullable().default(null),
  arm: Arm.nullable().default(null),
  hint: HintTier.default('none'),
  completed: z.boolean().nullable().default(null),
  reward: z.number().refine(Number.isFinite, 'a finite number').nullable().default(null),
  format_error: z.boolean().nullable().default(null),
  timed_out: z.boolean().nullable().default(null),
  /** How sure the agent said it is, from 0 to 1. */
  stated: z.number().min(0).max(1).nullable().default(null),
});
export type RolloutOutcome = z.infer<typeof RolloutOutcome>;
/** An outcome counts once: `id` is its episode, or its place in a report. */
export const Rollout = RolloutOutcome.extend({ id: z.string().min(1).max(300) });
export type Rollout = z.infer<typeof Rollout>;

/** It had neither the expert nor a hint: what it shows the agent can do. */
export const isAlone = ({ arm, hint }: Pick<Rollout, 'arm' | 'hint'>): boolean =>
  arm === 'solo' && hint === 'none';
