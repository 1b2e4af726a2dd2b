// Owns: the kinds that say how episodes are scored: named settings (stream `rewards/profiles`) and scores that were kept
// (stream `scored/<episode>`). An episode's own events never change.
import { z } from 'zod';
import { Breakdown } from '../rewards/breakdown.ts';
import { RewardSettings } from '../rewards/settings.ts';

/** The settings the product comes with; a name nobody else can take. */
export const DEFAULT_PROFILE = 'default';
export const ProfileName = z.string().trim().min(1).max(60);

export const rewardEvents = [
  /** Replaces what was saved under the name before; scores that were kept say which version they are of. */
  z.strictObject({
    kind: z.literal('reward_profile.saved'),
    name: ProfileName,
    version: z.number().int().positive(),
    settings: RewardSettings,
  }),
  z.strictObject({ kind: z.literal('reward_profile.removed'), name: ProfileName }),
  z.strictObject({
    kind: z.literal('episode.scored'),
    episode: z.string(),
    profile: ProfileName,
    /** 0 for the default. */
    version: z.number().int().nonnegative(),
    breakdown: Breakdown,
  }),
] as const;

export const PROFILE_STREAM = 'rewards/profiles';
export const scoredStream = (episode: string): string => `scored/${episode}`;
