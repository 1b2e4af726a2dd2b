// The owner's commands for the gateway: what is open, its keys, groups of rollouts.
import type { Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { refused } from '../../shared/contract/roles.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Groups } from '../log/groups.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { SettingsStore } from '../settings/settings.ts';

type GatewayCommandsDependencies = {
  log: EventLog;
  settings: Pick<SettingsStore, 'invites' | 'revokeInvite'>;
  keys: GatewayKeys;
  groups: Groups;
  environments: () => EnvironmentSpec[];
};

export function gatewayCommands(parts: GatewayCommandsDependencies) {
  const { settings, keys, groups, environments } = parts;
  return {
    'access.list': async () => ({
      keys: keys.list(),
      notes: keys.audit(),
      invites: settings.invites().map((one) => ({ ...one, last_used_at: keys.lastUsedAt(one.id) })),
    }),
    'keys.create': async (key, { key: madeBy = null }) => {
      if (key.environment !== null && !environments().some(({ id }) => id === key.environment)) {
        throw new Failure('not_found', `there is no environment "${key.environment}"`, {
          next: 'Choose one of the list, or add it under Setup.',
        });
      }
      return keys.create(key, madeBy);
    },
    'access.revoke': async ({ id }, { key }) => {
      const invite = settings.invites().find((one) => one.id === id);
      const maker = (invite ?? keys.list().find((one) => one.id === id))?.made_by ?? null;
      if (key !== undefined && !keys.isMadeBy(maker, key))
        throw refused('a key to the console revokes only what it made', {
          next: 'Revoke it with the owner’s own token.',
        });
      if (invite === undefined) keys.revoke(id);
      else settings.revokeInvite(id);
      return {};
    },
    'keys.defaults': async () => ({
      keys: environments().flatMap(({ id, name }) =>
        keys
          .defaults()
          .filter(({ environment }) => environment === id)
          .map(({ secret }) => ({ environment: id, name, key: secret })),
      ),
    }),
    'request.uncover': async (input, { seat }) => uncover(parts, input, seat),
    'groups.page': async (query) => groups.page(query),
  } satisfies Partial<Handlers>;
}

/** That the seat has seen it is recorded on its way out. */
function uncover(
  { log }: GatewayCommandsDependencies,
  { episode, consultation }: Inputs['request.uncover'],
  seat: string,
): Outputs['request.uncover'] {
  const record = log.record(episode);
  const found = findConsultation(record, consultation);
  if (found === undefined || found === null) {
    throw new Failure('not_found', `there is no question ${consultation} in episode ${episode}`);
  }
  if (record.ended === null) {
    const shown = { kind: 'answer_key.shown' as const, seat, saw: ['criteria' as const] };
    log.append(episode, seatActor(seat), shown);
  }
  const spans = found.covered.flatMap(({ start, end, text }) =>
    text === null ? [] : [{ start, end, text: log.texts.loadText(text) }],
  );
  return { spans };
}
