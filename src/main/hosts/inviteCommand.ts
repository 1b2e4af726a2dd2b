// `interject invite`: a link to an expert's seat, who has one, and a new token for the owner's own console.
import type { Command } from 'commander';
import { INVITE_DAYS_MAX, type Invite } from '../../shared/contract/seat.ts';
import { Failure } from '../../shared/failure.ts';
import type { CommandOutput } from './output.ts';
import { openProductFor } from './product.ts';
import { integerFrom } from './commandFlags.ts';

export type InviteOptions = { data?: string; days?: number | 'never'; renew?: boolean };

export const addInviteFlags = (command: Command): Command =>
  command
    .description('make a link to an expert’s seat; without a name, say who has one')
    .argument('[who]', 'who it is for, in your words')
    .option(
      '--days <n>',
      'how long it holds (30), or `never` for one that does not expire',
      (text: string) => (text === 'never' ? text : integerFrom(1, INVITE_DAYS_MAX)(text)),
    )
    .option('--renew', 'instead, a new token for your own console: the old one ends at once, everywhere');

/** Makes an invite for whom it names; without a name it lists them. Resolves with the exit code. */
export async function inviteCommand(
  { data, days, renew = false }: InviteOptions,
  output: CommandOutput,
  who: string,
): Promise<number> {
  if (renew && (who !== '' || days !== undefined)) {
    throw new Failure('bad_input', '--renew is for the owner’s own token, and goes with nothing else', {
      next: 'Leave the name and --days out, or --renew.',
    });
  }
  const product = await openProductFor({ data }, { output });
  const served = product.console;
  const addressOf = (token: string): string | null =>
    served === null ? null : `${new URL(served.url).origin}/#token=${token}`;
  try {
    if (renew) {
      const { token } = await product.call('owner.renew_token', {});
      output.line({ type: 'token', token, url: addressOf(token) });
      output.say(
        'The owner’s token is renewed: consoles, cookies and scripts with the old one are signed out.',
      );
      output.say(addressOf(token) ?? 'interject serve prints the new address.');
    } else if (who === '') {
      const { invites } = await product.call('access.list', {});
      for (const invite of invites) {
        output.line({ type: 'invite', ...invite });
        const used =
          invite.last_used_at === null ? 'not used yet' : `last used ${dayOf(invite.last_used_at)}`;
        output.say(`${invite.label} (${invite.seat}): ${used}, ${expiryWords(invite)}`);
      }
      if (invites.length === 0) output.say('No invites: interject invite NAME makes one.');
    } else {
      const lifetime = days === undefined ? {} : { days: days === 'never' ? null : days };
      const { invite, token } = await product.call('invites.create', {
        label: who,
        ...lifetime,
      });
      output.line({ type: 'invite', ...invite, token, url: addressOf(token) });
      output.say(`The link for ${invite.label}, which is shown only once; ${expiryWords(invite)}:`);
      output.say(addressOf(token) ?? `#token=${token} behind the address that interject serve prints`);
    }
    return 0;
  } finally {
    await product.close();
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const expiryWords = ({ expires_at: until }: Invite): string =>
  until === null ? 'it does not expire' : `it expires on ${dayOf(until)}`;
