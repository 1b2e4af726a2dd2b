// The commands of rewards: named settings, and what episodes are worth by them. Owner only.
import { z } from 'zod';
import { ProfileName } from '../events/rewards.ts';
import { Breakdown } from '../rewards/breakdown.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { EmptyInput } from './inputs.ts';
import { OWNER_READS, OWNER_WRITES } from './row.ts';

const ProfileRow = z.strictObject({
  name: z.string(),
  /** 0 for the default, which cannot be changed. */
  version: z.number().int(),
  settings: RewardSettings,
  saved_at: z.number().nullable(),
});
export type ProfileRow = z.infer<typeof ProfileRow>;

/** So many episodes are scored at once: what a list shows of them. */
export const SCORED_MAX = 200;

export const rewards = {
  'rewards.profiles': {
    ...OWNER_READS,
    input: EmptyInput,
    output: z.strictObject({ profiles: z.array(ProfileRow) }),
  },
  /** Throws `bad_input` naming the rule that is broken, or when the name is the default's. */
  'rewards.save_profile': {
    ...OWNER_WRITES,
    input: z.strictObject({ name: ProfileName, settings: RewardSettings }),
    output: ProfileRow,
  },
  /** Gives back what was removed, so that it can be saved again. */
  'rewards.remove_profile': {
    ...OWNER_WRITES,
    input: z.strictObject({ name: ProfileName }),
    output: ProfileRow,
  },
  /** What episodes are worth by a profile as it is now, in the order asked for. Throws `not_found` for no such profile. */
  'rewards.scores': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject({
      profile: ProfileName,
      episodes: z.array(z.string().max(200)).max(SCORED_MAX),
    }),
    output: z.strictObject({
      /** Null for an episode that has not ended, whose texts were erased, or that is not there. */
      scores: z.array(Breakdown.nullable()),
    }),
  },
} as const;
