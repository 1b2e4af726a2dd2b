// The owner's commands for invites to an expert's seat.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { SettingsStore } from '../settings/settings.ts';

type InvitesDependencies = { settings: SettingsStore; clock: () => number };
type InviteHandlers = Pick<Handlers, 'invites.create' | 'invites.list' | 'invites.revoke'>;

export const inviteCommands = ({ settings, clock }: InvitesDependencies): InviteHandlers => ({
  'invites.create': async ({ label, practice }) => settings.createInvite(label, practice, clock()),
  'invites.list': async () => ({ invites: settings.invites() }),
  'invites.revoke': async ({ id }) => {
    settings.revokeInvite(id);
    return {};
  },
});
