// Inviting somebody to an expert's seat, and the owner's own token.
import { DAY_MS } from '../../shared/lengthOfTime.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import { INVITE_DAYS } from '../../shared/contract/seat.ts';
import type { SettingsStore } from '../settings/settings.ts';

type InvitesDependencies = {
  settings: SettingsStore;
  clock: () => number;
};
type InviteHandlers = Pick<Handlers, 'invites.create' | 'owner.renew_token'>;

export const inviteCommands = ({ settings, clock }: InvitesDependencies): InviteHandlers => ({
  'invites.create': async ({ label, days = INVITE_DAYS }, { key = null }) => {
    const now = clock();
    const expires_at = days === null ? null : now + days * DAY_MS;
    return settings.createInvite({ label, created_at: now, expires_at, made_by: key });
  },
  'owner.renew_token': async () => ({ token: settings.renewOwnerToken() }),
});
