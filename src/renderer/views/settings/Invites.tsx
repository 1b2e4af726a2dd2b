// Inviting experts: a link per person, shown once; who has one; taking one back.
import { DAY_MS } from '../../../shared/lengthOfTime.ts';
import { useState, type FormEvent, type ReactNode } from 'react';
import { INVITE_DAYS, type InviteRow } from '../../../shared/contract/seat.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useClockValue } from '../../ui/clock.ts';
import * as styles from './Invites.module.css';
import * as section from './SettingsView.module.css';

type NewInvite = { label: string; token: string };

export function Invites(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [made, setMade] = useState<NewInvite | null>(null);
  const { value, failure, again } = useAsk('access.list', {});
  const revoke = useAct(async ({ id, label }: InviteRow) => {
    await call('access.revoke', { id }).finally(again);
    toast({
      tone: 'plain',
      title: `The invite of ${label} is revoked`,
      text: 'Open consoles were closed.',
    });
  }, 'Could not revoke it');
  return (
    <section className={section.section} aria-labelledby="invites-title">
      <div className={section.about}>
        <h2 id="invites-title" className={section.title}>
          Invites
        </h2>
        <p>
          An expert with a link sees the desk, live episodes and their own answers, and nothing else. The link
          is their seat: anyone who has it answers as them, until it expires or is revoked.
        </p>
      </div>
      <div className={section.fields}>
        {failure === null ? null : <ErrorNote title="Could not read the invites" failure={failure} />}
        {value === null && failure === null ? <Skeleton rows={2} label="Reading the invites" /> : null}
        <ul className={section.environments} aria-label="Invites">
          {(value?.invites ?? []).map((invite) => (
            <InviteLine key={invite.id} invite={invite} onRevoke={() => void revoke.run(invite)} />
          ))}
        </ul>
        {made === null ? null : <NewInviteNote made={made} onClose={() => setMade(null)} />}
        <CreateInvite
          onMade={(next) => {
            setMade(next);
            again();
          }}
        />
      </div>
    </section>
  );
}

function InviteLine({ invite, onRevoke }: { invite: InviteRow; onRevoke: () => void }): ReactNode {
  const [isSure, setIsSure] = useState(false);
  const { label, seat } = invite;
  return (
    <li className={section.environment}>
      <div className={section.environmentLine}>
        <span className={section.environmentName}>{label}</span>
        <code className={section.url}>{seat}</code>
        <span className={section.gap} />
        {isSure ? (
          <>
            <Button size="small" tone="danger" onClick={onRevoke}>
              Revoke now
            </Button>
            <Button size="small" tone="quiet" onClick={() => setIsSure(false)}>
              Keep
            </Button>
          </>
        ) : (
          <Button size="small" tone="quiet" aria-label={`Revoke ${label}`} onClick={() => setIsSure(true)}>
            Revoke
          </Button>
        )}
      </div>
      <p className={styles.quiet}>
        <InviteUsage invite={invite} />
      </p>
    </li>
  );
}

function InviteUsage({ invite }: { invite: InviteRow }): ReactNode {
  const { created_at, expires_at, last_used_at, made_by } = invite;
  const left = useClockValue((now) => (expires_at === null ? null : Math.ceil((expires_at - now) / DAY_MS)));
  return (
    <>
      Made <RelativeTime at={created_at} isSpoken />
      {made_by === null ? '' : ' with a key to the console'},{' '}
      {last_used_at === null ? (
        'not used yet'
      ) : (
        <>
          last used <RelativeTime at={last_used_at} isSpoken />
        </>
      )}
      {' · '}
      {left === null ? (
        'does not expire'
      ) : left <= 0 ? (
        <Badge tone="error">Expired</Badge>
      ) : (
        `expires in ${left === 1 ? '1 day' : `${String(left)} days`}`
      )}
    </>
  );
}

/** The address the owner uses is one the guest's browser may reach too; a desktop window has none. */
const linkOf = (token: string): string | null =>
  window.location.protocol.startsWith('http') ? `${window.location.origin}/#token=${token}` : null;

const isLocal = (): boolean => /^(localhost|127\.|\[::1\])/.test(window.location.hostname);

function NewInviteNote({ made, onClose }: { made: NewInvite; onClose: () => void }): ReactNode {
  const link = linkOf(made.token);
  return (
    <div className={styles.made} role="status">
      <p>
        <strong>The link for {made.label}. It is shown only once.</strong>
      </p>
      {link === null ? (
        <p>
          A browser needs a server: run <code>interject serve</code> on this data folder, and add{' '}
          <code className={styles.link}>#token={made.token}</code> to the address it prints, replacing the
          token there.
        </p>
      ) : (
        <p className={styles.row}>
          <code className={styles.link} data-invite-link>
            {link}
          </code>
          <CopyButton text={link} label="Copy the link" hasLabel />
        </p>
      )}
      {link !== null && isLocal() ? (
        <p className={styles.quiet}>
          It works on this computer only. For another one, start Interject with <code>--host</code> and open
          it at that address first.
        </p>
      ) : null}
      <Button size="small" onClick={onClose}>
        Done, I copied it
      </Button>
    </div>
  );
}

type Lifetime = '7' | '30' | '90' | '365' | 'never';
const LIFETIMES: readonly { value: Lifetime; label: string }[] = [
  { value: '7', label: 'After 7 days' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: 'never', label: 'Never' },
];
const USUAL_LIFETIME = String(INVITE_DAYS) as Lifetime;

function CreateInvite({ onMade }: { onMade: (made: NewInvite) => void }): ReactNode {
  const { call } = useSession();
  const [label, setLabel] = useState('');
  const [lifetime, setLifetime] = useState(USUAL_LIFETIME);
  const { isBusy, failure, run } = useAct(async () => {
    const { invite, token } = await call('invites.create', {
      label: label.trim(),
      days: lifetime === 'never' ? null : Number(lifetime),
    });
    setLabel('');
    onMade({ label: invite.label, token });
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (label.trim() !== '') void run();
  };
  return (
    <form className={section.add} onSubmit={onSubmit}>
      <Field label="Who to invite" help="Kept in the settings; the log records only the seat.">
        <Input value={label} maxLength={80} onChange={({ target }) => setLabel(target.value)} />
      </Field>
      <Field label="Expires">
        <Select<Lifetime> value={lifetime} options={LIFETIMES} onChoose={setLifetime} />
      </Field>
      <Button type="submit" isDisabled={label.trim() === ''} isBusy={isBusy}>
        Create the link
      </Button>
      {failure === null ? null : (
        <div className={section.addFailure}>
          <ErrorNote title="Could not create it" failure={failure} />
        </div>
      )}
    </form>
  );
}
