// Owns: the owner's commands for the gateway: what is open, its settings, its keys, groups of rollouts.
import { existsSync, readFileSync } from 'node:fs';
import type { Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { Failure } from '../../shared/failure.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Groups } from '../log/groups.ts';
import type { Keys } from '../settings/keys.ts';
import type { Settings } from '../settings/settings.ts';

type Parts = {
  log: EventLog;
  desk: Pick<Desk, 'noteSeen'>;
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
  | 'request.uncover'
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
    'request.uncover': async (input, { seat }) => uncover(parts, input, seat),
    'groups.page': async (query) => groups.page(query),
    'group.read': async ({ group }) => ({ rows: groups.episodes(group) }),
  };
}

/** What was seen is in the log before it is shown. */
function uncover(
  { log, desk }: Parts,
  { episode, consultation }: Inputs['request.uncover'],
  seat: string,
): Outputs['request.uncover'] {
  const record = log.record(episode);
  const found = findConsultation(record, consultation);
  if (found === undefined || found === null) {
    throw new Failure('not_found', `there is no question ${consultation} in episode ${episode}`);
  }
  desk.noteSeen(seat, episode, ['criteria']);
  if (record.ended === null) {
    const shown = { kind: 'answer_key.shown' as const, seat, saw: ['criteria' as const] };
    log.append(episode, { type: 'human', id: seat }, shown);
  }
  const spans = found.covered.flatMap(({ start, end, text }) =>
    text === null ? [] : [{ start, end, text: log.texts.whole(text) }],
  );
  return { spans };
}
