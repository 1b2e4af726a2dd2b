// The settings of the Agent World Model: where its data lies, how its tasks are verified, who judges.
import { z } from 'zod';
import { VerifierMode } from '../events/lifecycle.ts';

export const AwmSettings = z.strictObject({
  /** The folder that is read now. */
  data_folder: z.string(),
  /** What says so. A flag or a variable stands over the settings. */
  data_from: z.enum(['flag', 'environment', 'settings', 'default']),
  /** What is in the settings; null for nothing. */
  data_setting: z.string().nullable(),
  /** Why nothing can be read there, and how to come by it; null where verifiers were found, or nobody looked. */
  data_problem: z.strictObject({ message: z.string(), next: z.string().nullable() }).nullable(),
  /** How runs are verified that do not say it themselves. */
  verifier_mode: VerifierMode,
  /** The model that judges in the mode sql. Its key never leaves main but for the environment. */
  judge: z.strictObject({
    base_url: z.string().nullable(),
    model: z.string().nullable(),
    key: z.enum(['none', 'environment', 'stored']),
    /** Whether flags or variables stand over the settings. */
    is_overridden: z.boolean(),
  }),
});
export type AwmSettings = z.infer<typeof AwmSettings>;

export const AwmPatch = z.strictObject({
  data_folder: z.string().max(4000).nullable().optional(),
  verifier_mode: VerifierMode.optional(),
  judge_base_url: z.string().max(2000).nullable().optional(),
  judge_model: z.string().max(200).nullable().optional(),
  /** A new key to store, or null to forget the stored one. */
  judge_key: z.string().max(10_000).nullable().optional(),
});
export type AwmPatch = z.infer<typeof AwmPatch>;
