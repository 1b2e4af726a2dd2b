// How an environment is reached, as a person reads and sets it. Headers go in with their values and come out by name.
import type { Handlers } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { readAuthorities } from '../openenv/authorities.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ConnectionHandlers = Pick<Handlers, 'environments.connection' | 'environments.set_connection'>;

/** `changed`: what is connected to from now on is reached in another way. */
export const environmentConnectionCommands = (
  settings: SettingsStore,
  changed: () => void,
): ConnectionHandlers => ({
  'environments.connection': async ({ id }) => {
    const known = settings.environments().find((one) => one.id === id);
    if (known === undefined)
      throw new Failure('not_found', `there is no added environment ${id}`, { next: 'It may be removed.' });
    const { headers, ...shown } = settings.connectionOf(known.url);
    return { ...shown, headers: Object.keys(headers) };
  },
  'environments.set_connection': async ({ id, headers, ...shown }) => {
    // A file that is no use is refused now, not when an episode starts.
    if (shown.ca_file !== null) readAuthorities(shown.ca_file);
    settings.setConnection(id, shown, headers);
    changed();
    return {};
  },
});
