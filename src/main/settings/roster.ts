// The roster of experts in the settings file.
import { EMPTY_ROSTER, Roster, type Expert } from '../../shared/experts/roster.ts';
import { Failure } from '../../shared/failure.ts';
import type { Invite } from '../../shared/contract/seat.ts';
import type { InviteList } from './invites.ts';
import type { JsonFile } from './jsonFile.ts';
import type { ModelProfiles } from './modelProfiles.ts';

export type RosterStore = {
  /** Who may be asked now; nobody is in it until a person says so. */
  roster(): Roster;
  /** Throws `bad_input` for an expert whose model profile or invite is not there. */
  saveRoster(roster: Roster): void;
};

type Known = { profiles: () => { name: string }[]; invites: () => Invite[] };
/** The roster in the file, and notes for a person on the rest of it. */
export function rosterIn(raw: Readonly<Record<string, unknown>>): { roster: Roster; problems: string[] } {
  if (raw['experts'] === undefined) return { roster: EMPTY_ROSTER, problems: [] };
  const read = Roster.safeParse(raw['experts']);
  return read.success
    ? { roster: read.data, problems: [] }
    : {
        roster: EMPTY_ROSTER,
        problems: ['settings.json: the roster of experts cannot be read and is not used.'],
      };
}

export const rosterSection = (file: JsonFile, known: Known): RosterStore => ({
  roster: () => rosterIn(file.read()).roster,
  saveRoster: (roster) => {
    checkRoster(roster, known);
    file.write({ ...file.read(), experts: roster });
  },
});

function checkRoster({ experts }: Roster, { profiles, invites }: Known): void {
  for (const expert of experts) {
    if (expert.kind === 'model') {
      if (profiles().some(({ name }) => name === expert.profile)) continue;
      throw new Failure('bad_input', `${expert.name}: there is no model profile ${expert.profile}`, {
        next: 'Save the profile under Setup, Models, or choose another.',
      });
    }
    if (invites().some(({ seat }) => seat === expert.seat)) continue;
    throw new Failure('bad_input', `${expert.name}: there is no invite for this seat`, {
      next: 'Make an invite under Setup, People, and choose it.',
    });
  }
}

/** Profiles and invites; none that an expert uses is removed: that throws `bad_input`, naming who uses it. */
export const keepingUsed = (
  { roster }: Pick<RosterStore, 'roster'>,
  profiles: ModelProfiles,
  invites: InviteList,
): ModelProfiles & InviteList => ({
  ...profiles,
  ...invites,
  removeProfile: (profile) => {
    const users = roster().experts.filter((one) => one.kind === 'model' && one.profile === profile);
    refuseUse(users, `the model profile ${profile}`, 'another profile');
    profiles.removeProfile(profile);
  },
  revokeInvite: (id) => {
    const invite = invites.invites().find((one) => one.id === id);
    const users = roster().experts.filter((one) => one.kind === 'person' && one.seat === invite?.seat);
    refuseUse(users, `the invite ${invite?.label ?? id}`, 'another invite');
    invites.revokeInvite(id);
  },
});

function refuseUse(users: readonly Expert[], what: string, other: string): void {
  if (users.length === 0) return;
  const who = users.length === 1 ? 'the expert' : 'the experts';
  throw new Failure('bad_input', `${what} is used by ${who} ${users.map(({ name }) => name).join(', ')}`, {
    next: `Choose ${other} for ${who} under Setup, People (or in the file given with --experts), then try again.`,
  });
}
