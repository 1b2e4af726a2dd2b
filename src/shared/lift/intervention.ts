// The lift of one answered question, as the log, the library and exports hold it.
import { z } from 'zod';
import { ActorType } from '../events/actor.ts';

/** Reasons to exclude a continuation from figures. */
export const LiftExclusion = z.enum([
  /** A call that was made again came back otherwise: it would not have gone on from the same state. */
  'drifted',
  /** The model's provider refused what it was given or what it wrote. */
  'content_filter',
  /** The environment could not be had, or could not be reset. */
  'reset_error',
  /** The environment or the model's server failed while it ran. */
  'server_error',
  /** A person acted on it. */
  'step_in',
  /** It ended without a verifier's word. */
  'no_verdict',
  /** It was stopped, or Interject ended before it did. */
  'not_finished',
]);
export type LiftExclusion = z.infer<typeof LiftExclusion>;

/** Reasons for a descriptive figure: it says what was seen, and nothing of what the advice caused. */
export const DescriptiveReason = z.enum([
  /** Fewer continuations than three count in one of the arms. */
  'too_few',
  /** Every continuation of an arm was the same, word for word: nothing was drawn anew. */
  'not_resampled',
]);
export type DescriptiveReason = z.infer<typeof DescriptiveReason>;

const Arm = z.strictObject({
  /** Continuations that count, and how many of these the verifier called complete. */
  counted: z.number().int(),
  complete: z.number().int(),
});

export const InterventionLift = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  turn: z.number().int(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  /** Who answered. */
  advised_by: ActorType,
  /** Who answered had seen something of what the verifier checks, of the answer, or nobody knows what. */
  is_privileged: z.boolean(),
  with: Arm,
  without: Arm,
  /** Continuations left out, by cause; a cause without one is absent. */
  excluded: z.partialRecord(LiftExclusion, z.number().int()),
  /** Share completed with the advice minus share completed without; null where an arm has none that counts. */
  estimate: z.number().nullable(),
  /** At 95 %; null where the figure is descriptive. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  kind: z.enum(['causal', 'descriptive']),
  /** Null for a causal figure. */
  reason: DescriptiveReason.nullable(),
});
export type InterventionLift = z.infer<typeof InterventionLift>;
