// The document of settings, read and changed part by part.
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import { seatActor, type Actor } from '../../shared/events/actor.ts';
import { DEFAULT_PROFILE, PROFILE_STREAM } from '../../shared/events/library.ts';
import { Failure } from '../../shared/failure.ts';
import type { MissingSecrets } from '../../shared/taskSecrets.ts';
import type { EventLog } from '../log/eventLog.ts';
import { nextVersion, profileNamed, profilesIn } from '../reward/profiles.ts';
import { checkRewards } from '../reward/settings.ts';
import type { SettingsStore } from '../settings/settings.ts';

type SettingsDependencies = {
  log: EventLog;
  settings: SettingsStore;
  /** Why no verifiers can be read in a folder; null where some are there. */
  awmProblem: (folder: string) => Promise<MissingSecrets | null>;
};
type Patch = Inputs['settings.change'];

export function settingsCommands({
  log,
  settings,
  awmProblem,
}: SettingsDependencies): Pick<Handlers, 'settings.read' | 'settings.change'> {
  const document = async (checksAwm: boolean): Promise<Settings> => {
    const awm = settings.describeAwm();
    return {
      ...settings.describe(),
      awm: { ...awm, data_problem: checksAwm ? await awmProblem(awm.data_folder) : null },
      gateway: settings.gateway(),
      profiles: settings.profiles(),
      prices: settings.prices(),
      budgets: settings.budgets(),
      roster: settings.roster(),
      reward_profiles: profilesIn(log.read(PROFILE_STREAM)),
    };
  };
  return {
    'settings.read': ({ checks_awm: checksAwm = false }) => document(checksAwm),
    'settings.change': async (patch, { seat }) => {
      const { agent, expert } = patch;
      if (agent !== undefined || expert !== undefined) settings.write({ agent, expert });
      if (patch.awm !== undefined) settings.writeAwm(patch.awm);
      if (patch.gateway !== undefined) settings.configureGateway(patch.gateway);
      if (patch.profiles !== undefined) changeProfile(settings, patch.profiles);
      if (patch.prices !== undefined) {
        if ('save' in patch.prices) settings.savePrice(patch.prices.save);
        else settings.removePrice(patch.prices.remove);
      }
      if (patch.budgets !== undefined) settings.writeBudgets(patch.budgets);
      if (patch.roster !== undefined) settings.saveRoster(patch.roster);
      if (patch.reward_profiles !== undefined) changeRewards(log, patch.reward_profiles, seatActor(seat));
      return document(patch.awm !== undefined);
    },
  };
}

function changeProfile(settings: SettingsStore, change: NonNullable<Patch['profiles']>): void {
  if ('remove' in change) {
    settings.removeProfile(change.remove);
    return;
  }
  const { api_key, ...profile } = change.save;
  const { base_url: address } = profile;
  // Empty is the provider's own address.
  if (address !== null && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new Failure('bad_input', 'the address of the profile is not a web address', {
      next: 'Write it like https://api.example.com/v1.',
    });
  settings.saveProfile(profile, api_key);
}

/** Reward profiles are versioned in the log: what an episode was worth by one can be told later. */
function changeRewards(log: EventLog, change: NonNullable<Patch['reward_profiles']>, by: Actor): void {
  const name = 'save' in change ? change.save.name : change.remove;
  if (name === DEFAULT_PROFILE)
    throw new Failure('bad_input', `the profile ${DEFAULT_PROFILE} stays as it is`, {
      next: 'Save under another name.',
    });
  const kept = log.read(PROFILE_STREAM);
  if ('save' in change) {
    const settings = checkRewards(change.save.settings);
    const version = nextVersion(kept, name);
    log.append(PROFILE_STREAM, by, { kind: 'reward_profile.saved', name, version, settings });
  } else {
    profileNamed(kept, name);
    log.append(PROFILE_STREAM, by, { kind: 'reward_profile.removed', name });
  }
}
