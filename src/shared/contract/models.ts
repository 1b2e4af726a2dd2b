// The commands about models beside those of the settings: what one can do; and what is kept of profiles and prices.
import { z } from 'zod';
import { ModelPrice, Usage } from '../events/prices.ts';
import { FailureShape } from '../failureCodes.ts';
import { OWNER_READS } from './row.ts';

/** A name a person types after `--agent-profile`. */
const ProfileName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\w.-]+$/, 'only letters, digits, dots, dashes and underscores can be used');

/** Setting for sending a model what it thought: what it returned, as far as its server takes it; or never. */
export const ReasoningBack = z.enum(['auto', 'off']);

/** A named endpoint that can be chosen per run. Its key is kept apart. */
export const ModelProfile = z.strictObject({
  name: ProfileName,
  provider: z.enum(['openai', 'azure']),
  base_url: z.string().max(2000).nullable(),
  model: z.string().min(1).max(200),
  api_version: z.string().max(100).nullable(),
  /** Absent: `auto`. */
  reasoning: ReasoningBack.optional(),
});
export type ModelProfile = z.infer<typeof ModelProfile>;

export const ProfileDescription = ModelProfile.extend({ key: z.enum(['none', 'stored']) });
export type ProfileDescription = z.infer<typeof ProfileDescription>;

/** A price and the model, or the model profile, it is of. */
export const NamedPrice = ModelPrice.extend({ name: z.string().min(1).max(200) });
export type NamedPrice = z.infer<typeof NamedPrice>;

/** Abilities of a model, each probed by one small request. */
export const ModelProbe = z.enum([
  'answer',
  'system_role',
  'tools',
  'parallel_calls',
  'streaming',
  'reasoning',
  'context',
]);
export type ModelProbe = z.infer<typeof ModelProbe>;

/** `unclear`: the request was answered, and the answer shows neither. */
export const ProbeResult = z.strictObject({
  finding: z.enum(['yes', 'no', 'unclear']),
  /** What came back, in words. */
  evidence: z.string(),
  latency_ms: z.number(),
  usage: Usage.nullable(),
  /** Why nothing was found out; null where something was. */
  failure: FailureShape.nullable(),
});
export type ProbeResult = z.infer<typeof ProbeResult>;

/** The most that finding everything out can take, said before it begins. */
export const PROBE_COST = {
  requests: ModelProbe.options.length,
  input_tokens: 1200,
  output_tokens: 5100,
} as const;

const ProbedModel = { role: z.enum(['agent', 'expert']), profile: ProfileName.optional() };

export const models = {
  /** One small request; `id` names it, so that it can be cancelled. */
  'models.probe': {
    ...OWNER_READS,
    input: z.strictObject({ ...ProbedModel, probe: ModelProbe, id: z.string().min(1).max(100) }),
    output: ProbeResult,
  },
} as const;
