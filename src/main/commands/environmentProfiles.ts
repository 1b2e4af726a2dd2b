// What a person sets for one environment: the words its agents are told, how it verifies, and whether drafts are
// tried there. The console's owner alone reads and changes them.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ProfileHandlers = Pick<
  Handlers,
  | 'environments.texts'
  | 'environments.set_text'
  | 'environments.verifier'
  | 'environments.set_verifier'
  | 'environments.tries'
  | 'environments.set_tries'
>;

/** `awm`: what agents are told of the Agent World Model where a person says nothing. */
export const environmentProfileCommands = (
  { settings }: { settings: SettingsStore },
  awm: string,
): ProfileHandlers => ({
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
  'environments.verifier': async ({ id }) => ({
    own: settings.environmentVerifierMode(added(settings, id).id),
    usual: settings.verifierMode(),
  }),
  'environments.set_verifier': async ({ id, mode }) => {
    settings.setEnvironmentVerifierMode(id, mode);
    return {};
  },
  'environments.tries': async ({ id }) => {
    const { isAllowed, isolated } = settings.environmentTries(added(settings, id).id);
    return { is_allowed: isAllowed, isolated };
  },
  'environments.set_tries': async ({ id, is_allowed: isAllowed }) => {
    settings.setEnvironmentTries(added(settings, id).id, isAllowed);
    return {};
  },
});

function added(settings: SettingsStore, id: string): EnvironmentSpec {
  const known = settings.environments().find((one) => one.id === id);
  if (known !== undefined) return known;
  throw new Failure('not_found', `there is no added environment ${id}`, {
    next: 'It may be removed already.',
  });
}
