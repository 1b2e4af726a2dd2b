// Named settings of the rewards, read from their events. Pure.
import { DEFAULT_PROFILE } from '../../shared/events/rewards.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { REWARD_DEFAULTS, type RewardSettings } from '../../shared/rewards/settings.ts';

export type Profile = {
  name: string;
  /** 0 for the default; counted on under a name also after it was removed. */
  version: number;
  settings: RewardSettings;
  savedAt: number | null;
};

const DEFAULT_REWARD_PROFILE: Profile = {
  name: DEFAULT_PROFILE,
  version: 0,
  settings: REWARD_DEFAULTS,
  savedAt: null,
};

/** The profiles there are, the default first, then by name. Give it the events of `PROFILE_STREAM`. */
export function profilesIn(events: readonly Recorded[]): Profile[] {
  const saved = new Map<string, Profile>();
  for (const { at, event } of events) {
    if (event.kind === 'reward_profile.removed') saved.delete(event.name);
    if (event.kind !== 'reward_profile.saved') continue;
    const { name, version, settings } = event;
    saved.set(name, { name, version, settings, savedAt: at });
  }
  return [DEFAULT_REWARD_PROFILE, ...[...saved.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}

/** The profile of that name, as it is now. Throws `not_found`. */
export function profileNamed(events: readonly Recorded[], name: string): Profile {
  const all = profilesIn(events);
  const found = all.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  throw new Failure('not_found', `there is no reward profile ${name}`, {
    next: `There is ${all.map((profile) => profile.name).join(', ')}.`,
  });
}

/** The number the next version under a name gets. */
export const nextVersion = (events: readonly Recorded[], name: string): number =>
  1 + events.filter(({ event }) => event.kind === 'reward_profile.saved' && event.name === name).length;
