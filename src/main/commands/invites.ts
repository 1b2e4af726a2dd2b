// The owner's commands for invites to an expert's seat, and for the owner's own token.
import { DAY_MS } from '../../shared/lengthOfTime.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import { INVITE_DAYS } from '../../shared/contract/seat.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import { notItsOwn } from './gateway.ts';
import type { SettingsStore } from '../settings/settings.ts';

type InvitesDependencies = {
  settings: SettingsStore;
  keys: Pick<GatewayKeys, 'lastUsedAt' | 'isMadeBy'>;
  clock: () => number;
};
type InviteHandlers = Pick<
  Handlers,
  'invites.create' | 'invites.list' | 'invites.revoke' | 'owner.renew_token'
>;

export const inviteCommands = ({ settings, keys, clock }: InvitesDependencies): InviteHandlers => ({
  'invites.create': async ({ label, days = INVITE_DAYS }, { key = null }) => {
    const now = clock();
    const expires_at = days === null ? null : now + days * DAY_MS;
    return settings.createInvite({ label, created_at: now, expires_at, made_by: key });
  },
  'invites.list': async () => ({
    invites: settings.invites().map((one) => ({ ...one, last_used_at: keys.lastUsedAt(one.id) })),
  }),
  'invites.revoke': async ({ id }, { key }) => {
    const maker = settings.invites().find((one) => one.id === id)?.made_by ?? null;
    if (key !== undefined && !keys.isMadeBy(maker, key)) throw notItsOwn();
    settings.revokeInvite(id);
    return {};
  },
  'owner.renew_token': async () => ({ token: settings.renewOwnerToken() }),
});
