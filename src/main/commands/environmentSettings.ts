// What a person sets for one added environment: the words its agents are told, how it verifies, whether drafts are tried
// there, and how it is reached. Headers go in with their values and come out by name.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { EnvironmentSettings } from '../../shared/contract/environments.ts';
import { Failure } from '../../shared/failure.ts';
import { readAuthorities } from '../openenv/authorities.ts';
import type { SettingsStore } from '../settings/settings.ts';

/**
 * `awmText`: what agents are told of the Agent World Model where a person says nothing. `changed`: what is connected to
 * from now on is reached in another way.
 */
export function environmentSettingsCommands(
  settings: SettingsStore,
  awmText: string,
  changed: () => void,
): Pick<Handlers, 'environment.read' | 'environment.change'> {
  const read = (id: string): EnvironmentSettings => {
    const added = settings.environments().find((one) => one.id === id);
    if (added === undefined)
      throw new Failure('not_found', `there is no added environment ${id}`, { next: 'It may be removed.' });
    const { headers, ...connection } = settings.connectionOf(added.url);
    const own = settings.environmentSettings(id);
    return {
      text: own.agent_text,
      awm_text: awmText,
      verifier: { own: own.verifier_mode, usual: settings.verifierMode() },
      tries: { is_allowed: own.tries_drafts ?? false, isolated: own.isolated },
      connection: { ...connection, headers: Object.keys(headers) },
    };
  };
  return {
    'environment.read': async ({ id }) => read(id),
    'environment.change': async ({ id, text, verifier, tries, connection }) => {
      read(id);
      settings.changeEnvironment(id, {
        ...(text === undefined ? {} : { agent_text: text }),
        ...(verifier === undefined ? {} : { verifier_mode: verifier }),
        ...(tries === undefined ? {} : { tries_drafts: tries ? true : null }),
      });
      if (connection !== undefined) {
        const { headers, ...shown } = connection;
        // A file that is no use is refused now, not when an episode starts.
        if (shown.ca_file !== null) readAuthorities(shown.ca_file);
        settings.setConnection(id, shown, headers);
        changed();
      }
      return read(id);
    },
  };
}
