// Owns: the command that asks a verifier again, over the state an episode ended in.
import { z } from 'zod';
import { Json } from '../events/lifecycle.ts';

export const VerifyResult = z.strictObject({
  result: z.string().nullable(),
  reward_type: z.string(),
  /** The world's own verifier, or a Python one in the sandbox: which form. */
  verifier: z.enum(['built_in', 'code', 'sql']),
  evidence: Json,
  /** Why there is no verdict; null when there is one. */
  problem: z.string().nullable(),
  /** What the log says the verifier said when the episode was played; null where it did not run. */
  logged: z.string().nullable(),
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
