// What agents are told of an environment: read and changed by the console's owner.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { SettingsStore } from '../settings/settings.ts';

/** `awm`: what agents are told of the Agent World Model where a person says nothing. */
export const environmentTextCommands = (
  settings: SettingsStore,
  awm: string,
): Pick<Handlers, 'environments.texts' | 'environments.set_text'> => ({
  'environments.texts': async () => ({
    texts: settings.environments().flatMap(({ id }) => {
      const text = settings.environmentText(id);
      return text === null ? [] : [{ id, text }];
    }),
    awm,
  }),
  'environments.set_text': async ({ id, text }) => {
    settings.setEnvironmentText(id, text);
    return {};
  },
});
