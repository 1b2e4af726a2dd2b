// The commands of rewards: named settings, and what episodes are worth by them. Owner only.
import { z } from 'zod';
import { ProfileName } from '../events/library.ts';
import { Breakdown } from '../rewards/breakdown.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { OWNER_READS } from './row.ts';

export const ProfileRow = z.strictObject({
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
