// What a model can do, and the named model profiles: which there are, saving one, removing one.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { models } from '../../shared/contract/models.ts';
import { Failure } from '../../shared/failure.ts';
import { probeModel } from '../llm/probes.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ModelHandlers = Pick<Handlers, keyof typeof models>;

export function modelCommands({
  settings,
  tokens,
}: {
  settings: SettingsStore;
  tokens: Tokens;
}): ModelHandlers {
  const running = new Map<string, AbortController>();
  return {
    'models.probe': async ({ role, profile, probe, id }) => {
      const config = settings.model(role, profile);
      if (config === null) throw notConfigured(role);
      const stop = new AbortController();
      running.set(id, stop);
      try {
        return await probeModel(probe, { config, tokens, signal: stop.signal });
      } finally {
        running.delete(id);
      }
    },
    'models.cancel_probe': async ({ id }) => {
      running.get(id)?.abort();
      return {};
    },
    ...profileCommands(settings),
    'prices.list': async () => ({ prices: settings.prices() }),
    'prices.save': async (price) => {
      settings.savePrice(price);
      return {};
    },
    'budgets.read': async () => settings.budgets(),
    'budgets.write': async (budgets) => {
      settings.writeBudgets(budgets);
      return {};
    },
    'prices.remove': async ({ name }) => {
      settings.removePrice(name);
      return {};
    },
  };
}

export const notConfigured = (role: 'agent' | 'expert'): Failure =>
  new Failure('model_not_configured', `no model is set for the ${role}`, {
    next: 'Set a base URL, a model name and a key, then try again.',
  });

/** Empty is the provider's own address. Throws `bad_input`. */
function checkAddress(address: string | null): void {
  if (address === null || /^https?:$/.test(URL.parse(address)?.protocol ?? '')) return;
  throw new Failure('bad_input', 'the address of the profile is not a web address', {
    next: 'Write it like https://api.example.com/v1.',
  });
}

const profileCommands = (
  settings: SettingsStore,
): Pick<Handlers, 'profiles.list' | 'profiles.save' | 'profiles.remove'> => ({
  'profiles.list': async () => ({ profiles: settings.profiles() }),
  'profiles.save': async ({ api_key, ...profile }) => {
    checkAddress(profile.base_url);
    settings.saveProfile(profile, api_key);
    return {};
  },
  'profiles.remove': async ({ name }) => {
    settings.removeProfile(name);
    return {};
  },
});
