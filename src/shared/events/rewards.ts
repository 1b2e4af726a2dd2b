// The kinds that say how episodes are scored: named settings (stream `rewards/profiles`) and scores that were kept
// (stream `scored/<profile>`). An episode's own events never change.
import { z } from 'zod';
import { Breakdown } from '../rewards/breakdown.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { defineKind, NOTED } from './kind.ts';

/** The settings the product comes with; a name nobody else can take. */
export const DEFAULT_PROFILE = 'default';
export const ProfileName = z.string().trim().min(1).max(60);

export const rewardEvents = [
  /** Replaces what was saved under the name before; scores that were kept say which version they are of. */
  defineKind('reward_profile.saved', {
    name: ProfileName,
    version: z.number().int().positive(),
    settings: RewardSettings,
  })(NOTED),
  defineKind('reward_profile.removed', { name: ProfileName })(NOTED),
  /** What episodes were worth when it was stored. A later event about an episode, by the same name, replaces it. */
  defineKind('episodes.scored', {
    profile: ProfileName,
    /** 0 for the default. */
    version: z.number().int().nonnegative(),
    scores: z.array(z.strictObject({ episode: z.string(), breakdown: Breakdown })).min(1),
  })(NOTED),
] as const;

export const PROFILE_STREAM = 'rewards/profiles';
export const SCORED_PREFIX = 'scored/';
export const scoredStream = (profile: string): string => SCORED_PREFIX + profile;
