// The reward of an episode with all its parts, as it is shown and exported.
import { z } from 'zod';

/** The help with a completed task: none, after an honest failed try of the agent's own, before any, or nobody knows. */
export const Pattern = z.enum(['solo', 'recovery', 'blind', 'unknown']);
export type Pattern = z.infer<typeof Pattern>;

export const ShapedReward = z.strictObject({
  total: z.number(),
  base: z.number(),
  /** Added for the pattern; 0 where the task was not completed. */
  modifier: z.number(),
  /** Null where the task was not completed. */
  pattern: Pattern.nullable(),
});
export type ShapedReward = z.infer<typeof ShapedReward>;

export const RubricScore = z.strictObject({
  /** In [0, 1]. */
  total: z.number(),
  /** Each component's own value in [0, 1], before its weight and before the gate. */
  components: z.record(z.string(), z.number()),
  /** What all components but the primary one were multiplied with: 1 where the task was completed. */
  gate: z.number(),
});
export type RubricScore = z.infer<typeof RubricScore>;

export const Breakdown = z.strictObject({
  /** The environment's own reward and label: the headline. Null where nothing was verified. */
  verifier: z.strictObject({ reward: z.number().nullable(), label: z.string().nullable() }),
  shaped: ShapedReward,
  rubric: RubricScore,
  /** Share of the agent's turns that were badly formed, by what it proposed; null without turns. */
  format_error_rate: z.number().nullable(),
});
export type Breakdown = z.infer<typeof Breakdown>;
