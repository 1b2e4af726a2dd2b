// Owns: the owner's commands for the gateway: what is open, its settings, its keys, groups of rollouts.
import { existsSync, readFileSync } from 'node:fs';
import type { Handlers } from '../../shared/contract/contract.ts';
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { Groups } from '../log/groups.ts';
import type { Keys } from '../settings/keys.ts';
import type { Settings } from '../settings/settings.ts';

type Parts = {
  settings: Settings;
  keys: Keys;
  groups: Groups;
  status: () => GatewayStatus;
  environments: () => EnvironmentSpec[];
  /** Where `interject.py` lies. */
  clientFile: string;
};
type GatewayHandlers = Pick<
  Handlers,
  | 'gateway.describe'
  | 'gateway.settings'
  | 'gateway.configure'
  | 'gateway.client_file'
  | 'keys.list'
  | 'keys.create'
  | 'keys.revoke'
  | 'keys.defaults'
  | 'keys.audit'
  | 'groups.page'
  | 'group.read'
>;

export function gatewayCommands(parts: Parts): GatewayHandlers {
  const { settings, keys, groups, environments } = parts;
  return {
    'gateway.describe': async () => parts.status(),
    'gateway.settings': async () => settings.gateway(),
    'gateway.configure': async (patch) => settings.configureGateway(patch),
    'gateway.client_file': async () => ({
      name: 'interject.py',
      text: existsSync(parts.clientFile) ? readFileSync(parts.clientFile, 'utf8') : null,
    }),
    'keys.list': async () => ({ keys: keys.list() }),
    'keys.create': async (key) => {
      if (key.environment !== null && !environments().some(({ id }) => id === key.environment)) {
        throw new Failure('not_found', `there is no environment "${key.environment}"`, {
          next: 'Choose one of the list, or add it under Settings.',
        });
      }
      return keys.create(key);
    },
    'keys.revoke': async ({ id }) => {
      keys.revoke(id);
      return {};
    },
    'keys.defaults': async () => {
      const { expert, taps } = keys.defaults();
      return {
        expert,
        taps: environments().flatMap(({ id, name }) =>
          taps
            .filter(({ environment }) => environment === id)
            .map(({ token }) => ({ environment: id, name, token })),
        ),
      };
    },
    'keys.audit': async () => ({ notes: keys.audit() }),
    'groups.page': async (query) => groups.page(query),
    'group.read': async ({ group }) => ({ rows: groups.episodes(group) }),
  };
}
