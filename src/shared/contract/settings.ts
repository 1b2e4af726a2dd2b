// The one document of settings: what it holds, what may be changed of it, and who may change each part.
import { z } from 'zod';
import { Roster } from '../experts/roster.ts';
import { ProfileName as RewardProfileName } from '../events/library.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { DefaultBudgets } from './budgets.ts';
import { GatewaySettings } from './gateway.ts';
import { ModelProfile, NamedPrice, ProfileDescription, ReasoningBack } from './models.ts';
import { ProfileRow } from './rewards.ts';
import { OWNER_READS, OWNER_WRITES, type Row } from './row.ts';
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

const ModelSettings = z.strictObject({
  provider: z.enum(['openai', 'azure']),
  base_url: z.string().nullable(),
  model: z.string().nullable(),
  api_version: z.string().nullable(),
  reasoning: ReasoningBack,
  /** Where the key comes from; the key itself never leaves main. */
  key: z.enum(['none', 'environment', 'stored']),
  /** What each value was read from, in the words of the order: a flag, a variable, `settings`, a profile; null for a default. */
  from: z
    .strictObject({
      provider: z.string().nullable(),
      base_url: z.string().nullable(),
      model: z.string().nullable(),
      api_version: z.string().nullable(),
      key: z.string().nullable(),
    })
    .optional(),
  /** A command prints an access token that is sent instead of a key. */
  has_token_command: z.boolean().optional(),
  /** The profile that was chosen on the command line. */
  profile: z.string().optional(),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

const ModelPatch = z.strictObject({
  provider: z.enum(['openai', 'azure']).optional(),
  base_url: z.string().max(2000).nullable().optional(),
  model: z.string().max(200).nullable().optional(),
  api_version: z.string().max(100).nullable().optional(),
  reasoning: ReasoningBack.optional(),
  /** A new key to store, or null to forget the stored one. */
  api_key: z.string().max(10_000).nullable().optional(),
});

/** The settings in force for the models of both roles. */
export const ModelsInForce = z.strictObject({
  agent: ModelSettings,
  expert: ModelSettings,
  key_store: z.enum(['keychain', 'file']),
});
export type ModelsInForce = z.infer<typeof ModelsInForce>;

export const Settings = ModelsInForce.extend({
  awm: AwmSettings,
  gateway: GatewaySettings,
  profiles: z.array(ProfileDescription),
  prices: z.array(NamedPrice),
  budgets: DefaultBudgets,
  roster: Roster,
  reward_profiles: z.array(ProfileRow),
});
export type Settings = z.infer<typeof Settings>;

/** One of a list that is saved under its name, in place of one that had it; or the name of one that is removed. */
const edit = <Item extends z.ZodType, Name extends z.ZodType>(item: Item, name: Name) =>
  z.union([z.strictObject({ save: item }), z.strictObject({ remove: name })]);

export const SettingsPatch = z.strictObject({
  agent: ModelPatch.optional(),
  expert: ModelPatch.optional(),
  awm: AwmPatch.optional(),
  gateway: GatewaySettings.partial().optional(),
  /** Without a new key a profile keeps its own. A new address gets no other's key. */
  profiles: edit(
    ModelProfile.extend({ api_key: z.string().max(10_000).nullable().optional() }),
    z.string(),
  ).optional(),
  /** Episodes keep the prices they began with. */
  prices: edit(NamedPrice, z.string()).optional(),
  budgets: DefaultBudgets.optional(),
  /** Running episodes keep the roster they began with. */
  roster: Roster.optional(),
  /** `bad_input` names the rule that is broken; the default's name is nobody's. */
  reward_profiles: edit(
    z.strictObject({ name: RewardProfileName, settings: RewardSettings }),
    RewardProfileName,
  ).optional(),
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;

/** Roles that may change each part. A key to the console may not say where the owner's stored keys are sent. */
export const SETTINGS_PARTS = {
  agent: { who: 'owner alone' },
  expert: { who: 'owner alone' },
  awm: { who: 'owner alone' },
  gateway: { who: 'owner' },
  profiles: { who: 'owner' },
  prices: { who: 'owner' },
  budgets: { who: 'owner' },
  roster: { who: 'owner' },
  reward_profiles: { who: 'owner' },
} as const satisfies Record<keyof SettingsPatch, Pick<Row, 'who'>>;

export const settings = {
  'settings.read': {
    ...OWNER_READS,
    /** `checks_awm` also says whether the Agent World Model's data can be read, which takes long the first time. */
    input: z.strictObject({ checks_awm: z.boolean().optional() }),
    output: Settings,
  },
  /** In the order of the patch: what stands before a part that is refused is kept. */
  'settings.change': {
    ...OWNER_WRITES,
    parts: SETTINGS_PARTS,
    input: SettingsPatch,
    output: Settings,
  },
} as const;
