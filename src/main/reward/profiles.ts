// Named settings of the rewards, read from their events. Pure.
import type { ProfileRow } from '../../shared/contract/rewards.ts';
import { DEFAULT_PROFILE } from '../../shared/events/library.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { REWARD_DEFAULTS } from '../../shared/rewards/settings.ts';

/** The profiles there are, the default first, then by name. Give it the events of `PROFILE_STREAM`. */
export function profilesIn(events: readonly Recorded[]): ProfileRow[] {
  const saved = new Map<string, ProfileRow>();
  for (const { at, event } of events) {
    if (event.kind === 'reward_profile.removed') saved.delete(event.name);
    if (event.kind !== 'reward_profile.saved') continue;
    const { name, version, settings } = event;
    saved.set(name, { name, version, settings, saved_at: at });
  }
  const byDefault = { name: DEFAULT_PROFILE, version: 0, settings: REWARD_DEFAULTS, saved_at: null };
  return [byDefault, ...[...saved.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}

/** The profile of that name, as it is now. Throws `not_found`. */
export function profileNamed(events: readonly Recorded[], name: string): ProfileRow {
  const all = profilesIn(events);
  const found = all.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  throw new Failure('not_found', `there is no reward profile ${name}`, {
    next: `There is ${all.map((profile) => profile.name).join(', ')}.`,
  });
}

/** The number the next version under a name gets; counted on also after the name was removed. */
export const nextVersion = (events: readonly Recorded[], name: string): number =>
  1 + events.filter(({ event }) => event.kind === 'reward_profile.saved' && event.name === name).length;
