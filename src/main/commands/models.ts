// What a model can do, found out by small requests.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { models } from '../../shared/contract/models.ts';
import { Failure } from '../../shared/failure.ts';
import { probeModel } from '../llm/probes.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ModelHandlers = Pick<Handlers, Exclude<keyof typeof models, 'settings.try_model'>>;

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
  };
}

export const notConfigured = (role: 'agent' | 'expert'): Failure =>
  new Failure('model_not_configured', `no model is set for the ${role}`, {
    next: 'Set a base URL, a model name and a key, then try again.',
  });
