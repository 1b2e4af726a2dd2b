// The command that asks a verifier again, over the state an episode ended in.
import { z } from 'zod';
import { Json } from '../events/lifecycle.ts';

/**
 * A verdict beside the logged one. `contradicts`: one of them, or the record, is wrong. `nothing_logged`: no verdict was
 * logged to compare with. `no_verdict`: this time none could be told.
 */
export const VerdictAgreement = z.enum(['same', 'contradicts', 'nothing_logged', 'no_verdict']);
export type VerdictAgreement = z.infer<typeof VerdictAgreement>;

export const VerifyResult = z.strictObject({
  result: z.string().nullable(),
  /** As the environment labels it; `unknown` where this sandbox cannot tell what the environment would have said. */
  reward_type: z.string(),
  /** The world's own verifier, or a Python one in the sandbox: which form. */
  verifier: z.enum(['built_in', 'code', 'sql']),
  evidence: Json,
  /** Why there is no verdict; null when there is one. */
  problem: z.string().nullable(),
  /** The same for machines: `verifier_error`, `verifier_module_missing`, `verifier_timeout` and so on. */
  problem_code: z.string().nullable(),
  /** What to do about the problem; null where nothing can be done. */
  next: z.string().nullable(),
  /** What the log says the verifier said when the episode was played; null where it did not run. */
  logged: z.string().nullable(),
  agreement: VerdictAgreement,
  /** Whether the verifier read the clock, so that its word may depend on when it is asked. */
  read_clock: z.boolean(),
  /** What its clock showed, UTC ms: when the logged verdict was given. Null for the present time. */
  clock_at: z.number().nullable(),
  /** Where the state came from, and how many results differed while it was rebuilt. */
  source: z.enum(['live', 'rebuilt', 'left']),
  drift: z.number().int(),
  ms: z.number(),
});
export type VerifyResult = z.infer<typeof VerifyResult>;

export const verifying = {
  /** `awm_data`: the folder of the Agent World Model data; null for the usual place. */
  'episode.verify': {
    input: z.strictObject({ episode: z.string(), awm_data: z.string().nullable() }),
    output: VerifyResult,
  },
} as const;
