// The kinds that say how episodes are scored: named settings, in the stream `rewards/profiles`.
import { z } from 'zod';
import { RewardSettings } from '../rewards/settings.ts';
import { defineKind, NOTED } from './kind.ts';

/** The settings the product comes with; a name nobody else can take. */
export const DEFAULT_PROFILE = 'default';
export const ProfileName = z.string().trim().min(1).max(60);

export const rewardEvents = [
  /** Replaces what was saved under the name before. */
  defineKind('reward_profile.saved', {
    name: ProfileName,
    version: z.number().int().positive(),
    settings: RewardSettings,
  })(NOTED),
  defineKind('reward_profile.removed', { name: ProfileName })(NOTED),
] as const;

export const PROFILE_STREAM = 'rewards/profiles';
