// The named model profiles: which there are, saving one, removing one.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ModelHandlers = Pick<Handlers, 'profiles.list' | 'profiles.save' | 'profiles.remove'>;

export const modelCommands = ({ settings }: { settings: SettingsStore }): ModelHandlers => ({
  'profiles.list': async () => ({ profiles: settings.profiles() }),
  'profiles.save': async ({ api_key, ...profile }) => {
    settings.saveProfile(profile, api_key);
    return {};
  },
  'profiles.remove': async ({ name }) => {
    settings.removeProfile(name);
    return {};
  },
});
