// Owns: every number of the rewards, and the rules any accepted set of them obeys.
// Source of the defaults: the expert-in-the-loop recipe for the Agent World Model (shaping) and the OpenEnv brief (rubric).
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';

const Share = z.number().min(0).max(1);

export const ShapingSettings = z.strictObject({
  /** By the verifier's label; whatever is not named counts as `other`. */
  base: z.strictObject({
    complete: z.number(),
    incomplete: z.number(),
    format_error: z.number(),
    other: z.number(),
  }),
  /** Added on completion: without asking, asking after an honest failed try, asking before any. */
  modifiers: z.strictObject({ solo: z.number(), recovery: z.number(), blind: z.number() }),
});
export type ShapingSettings = z.infer<typeof ShapingSettings>;

export const RubricSettings = z.strictObject({
  /** Weights of the components; they sum to 1. */
  weights: z.record(z.string(), Share),
  /** Label -> primary objective in [0, 1]. */
  primary: z.record(z.string(), Share),
  /** Calls with a use before process quality counts in full, where the task was not completed. */
  process_calls: z.number().int().min(1),
  /** Turns before format compliance counts in full: a single well-formed turn proves nothing. */
  format_turns: z.number().int().min(1),
  /** Turns up to which a completed task is fully efficient, and from which it is not at all. */
  efficient_turns: z.number().int().min(1),
  slow_turns: z.number().int().min(2),
});
export type RubricSettings = z.infer<typeof RubricSettings>;

export const RewardSettings = z.strictObject({ shaping: ShapingSettings, rubric: RubricSettings });
export type RewardSettings = z.infer<typeof RewardSettings>;

export const REWARD_DEFAULTS: RewardSettings = {
  shaping: {
    base: { complete: 1, incomplete: 0.1, format_error: -1, other: 0 },
    modifiers: { solo: 1, recovery: 0.3, blind: -0.2 },
  },
  rubric: {
    weights: { primary: 0.4, process: 0.25, format: 0.2, efficiency: 0.15 },
    primary: { complete: 1, incomplete: 0.1 },
    process_calls: 4,
    format_turns: 3,
    efficient_turns: 4,
    slow_turns: 15,
  },
};

/**
 * Settings that hold what the rewards promise: on completion solo > recovery > blind, and the least of them above
 * anything that was not completed; weights that sum to 1. Throws `bad_input` naming the rule that is broken.
 */
export function checkRewards(input: unknown): RewardSettings {
  const parsed = RewardSettings.safeParse(input);
  if (!parsed.success) throw broken(z.prettifyError(parsed.error));
  const { shaping, rubric } = parsed.data;
  const { base, modifiers } = shaping;
  if (!(modifiers.solo > modifiers.recovery && modifiers.recovery > modifiers.blind)) {
    throw broken('the order solo > recovery > blind does not hold');
  }
  const failures = [base.incomplete, base.format_error, base.other];
  if (base.complete + modifiers.blind <= Math.max(...failures)) {
    throw broken('a task completed after a blind ask would earn no more than one that was not completed');
  }
  const sum = Object.values(rubric.weights).reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > 1e-9) throw broken(`the weights sum to ${String(sum)}, not to 1`);
  if (rubric.slow_turns <= rubric.efficient_turns) throw broken('slow_turns must be above efficient_turns');
  const rest = Math.max(
    0,
    ...Object.entries(rubric.primary).flatMap(([label, value]) => (label === 'complete' ? [] : [value])),
  );
  if ((rubric.primary['complete'] ?? 0) <= rest) throw broken('no label may be worth as much as complete');
  return parsed.data;
}

const broken = (message: string): Failure =>
  new Failure('bad_input', `these rewards cannot be used: ${message}`, {
    next: 'Change the numbers; the rules are in docs/rewards.md.',
  });
