// The commands about models beside the two of the settings: named profiles.
import { z } from 'zod';

const EmptyInput = z.strictObject({});

/** A name a person types after `--agent-profile`. */
const ProfileName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\w.-]+$/, 'letters, digits, dots, dashes and underscores');

/** A named endpoint that can be chosen per run. Its key is kept apart, or is in the variable `key_env`. */
export const ModelProfile = z.strictObject({
  name: ProfileName,
  provider: z.enum(['openai', 'azure']),
  base_url: z.string().max(2000).nullable(),
  model: z.string().min(1).max(200),
  api_version: z.string().max(100).nullable(),
  /** The variable that holds the key. Only the settings file can name one: the console cannot read variables. */
  key_env: z.string().max(200).optional(),
  /** A command that prints an access token. Only the settings file can hold one: the console cannot say what is run. */
  token_command: z.string().max(2000).optional(),
});
export type ModelProfile = z.infer<typeof ModelProfile>;

const ProfileDescription = ModelProfile.extend({ key: z.enum(['none', 'environment', 'stored']) });
export type ProfileDescription = z.infer<typeof ProfileDescription>;

export const models = {
  'profiles.list': {
    input: EmptyInput,
    output: z.strictObject({ profiles: z.array(ProfileDescription) }),
  },
  /** A profile of this name is replaced; without a new key it keeps its own. A new address gets no other's key. */
  'profiles.save': {
    input: ModelProfile.omit({ key_env: true, token_command: true }).extend({
      api_key: z.string().max(10_000).nullable().optional(),
    }),
    output: EmptyInput,
  },
  'profiles.remove': { input: z.strictObject({ name: z.string() }), output: EmptyInput },
} as const;
