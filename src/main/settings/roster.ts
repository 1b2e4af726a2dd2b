// The roster of experts in the settings file, and the file of one that a command is given in its place.
import { z } from 'zod';
import { EMPTY_ROSTER, Roster, Routes, type Expert } from '../../shared/experts/roster.ts';
import { Failure } from '../../shared/failure.ts';
import { issueText } from '../../shared/issueText.ts';
import type { Invite } from '../../shared/contract/seat.ts';
import type { InviteList } from './invites.ts';
import type { JsonFile } from './jsonFile.ts';
import type { LaunchedSettings } from './launchSettings.ts';
import type { ModelProfiles } from './modelProfiles.ts';

export type RosterStore = {
  /** Who may be asked now; nobody is in it until a person says so. */
  roster(): Roster;
  /** Throws `bad_input` for an expert whose model profile or invite is not there. */
  saveRoster(roster: Roster): void;
  /** Whether the command line named a roster: then the settings' own is not used. */
  isRosterGiven: boolean;
};

type Known = { profiles: () => { name: string }[]; invites: () => Invite[] };
type RosterEdges = Known & { launched: Pick<LaunchedSettings, 'current'> };

/** An expert as a file names it: a model by its profile, a person by their invite's label or id. */
const FileExpert = z.strictObject({
  name: z.string(),
  skills: z.array(z.string()),
  ask_for: z.string(),
  profile: z.string().optional(),
  prompt: z.string().optional(),
  invite: z.string().optional(),
});
const RosterFile = z.strictObject({
  experts: z.array(FileExpert),
  routes: Routes.partial().optional(),
  seat_first_s: z.number().optional(),
});
export type RosterFile = z.infer<typeof RosterFile>;

const FILE_FORM =
  'It is a JSON object with "experts", each with "name", "skills", "ask_for" and either "profile" or "invite"; see docs/experts.md.';

/** Throws `bad_input`. */
export function readRosterFile(text: string, path: string): RosterFile {
  try {
    return RosterFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Failure('bad_input', `${path} is no roster of experts: ${firstFault(cause)}`, {
      cause,
      next: FILE_FORM,
    });
  }
}

function firstFault(thrown: unknown): string {
  const issue = thrown instanceof z.ZodError ? thrown.issues[0] : undefined;
  return issue === undefined ? 'it is not JSON' : issueText(issue);
}

/** What the file holds, and what a person should know about the rest of it. */
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

export function rosterSection(file: JsonFile, known: RosterEdges, given: RosterFile | null): RosterStore {
  const fromFile = given === null ? null : rosterOfFile(given, known);
  return {
    roster: () => known.launched.current().roster ?? fromFile ?? rosterIn(file.read()).roster,
    saveRoster: (roster) => {
      checkRoster(roster, known);
      file.write({ ...file.read(), experts: roster });
    },
    isRosterGiven: fromFile !== null,
  };
}

function rosterOfFile({ experts, routes, seat_first_s }: RosterFile, known: Known): Roster {
  const read = Roster.safeParse({
    experts: experts.map((one) => expertOfFile(one, known)),
    routes: { ...EMPTY_ROSTER.routes, ...routes },
    seat_first_s: seat_first_s ?? EMPTY_ROSTER.seat_first_s,
  });
  if (!read.success) {
    throw new Failure('bad_input', `the roster of experts cannot be used: ${firstFault(read.error)}`, {
      next: FILE_FORM,
    });
  }
  checkRoster(read.data, known);
  return read.data;
}

function expertOfFile(
  { profile, prompt, invite, ...expert }: RosterFile['experts'][number],
  known: Known,
): Expert {
  if (profile !== undefined && invite === undefined)
    return { kind: 'model', ...expert, profile, ...(prompt === undefined ? {} : { prompt }) };
  if (invite === undefined || profile !== undefined || prompt !== undefined) {
    throw new Failure('bad_input', `${expert.name} is neither a model nor a person`, {
      next: 'Give a model its "profile" (and a "prompt" if you like), and a person their "invite".',
    });
  }
  const found = known.invites().find(({ id, label }) => id === invite || label === invite);
  if (found !== undefined) return { kind: 'person', ...expert, seat: found.seat };
  throw new Failure('bad_input', `there is no invite ${invite} for ${expert.name}`, {
    next: 'Make one under Settings, Invites, and give its label.',
  });
}

function checkRoster({ experts }: Roster, { profiles, invites }: Known): void {
  for (const expert of experts) {
    if (expert.kind === 'model') {
      if (profiles().some(({ name }) => name === expert.profile)) continue;
      throw new Failure('bad_input', `${expert.name}: there is no model profile ${expert.profile}`, {
        next: 'Save the profile under Settings, Models, or choose another.',
      });
    }
    if (invites().some(({ seat }) => seat === expert.seat)) continue;
    throw new Failure('bad_input', `${expert.name}: there is no invite for this seat`, {
      next: 'Make an invite under Settings, Invites, and choose it.',
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
    next: `Choose ${other} for ${who} under Settings, Experts (or in the file given with --experts), then try again.`,
  });
}
