// Inviting experts: a link per person, shown once; who has one; taking one back. And the owner's own way in, which can be
// renewed: that ends the old one everywhere.
import { useState, type ReactNode } from 'react';
import { INVITE_DAYS, type InviteRow } from '../../../shared/contract/seat.ts';
import { DAY_MS } from '../../../shared/lengthOfTime.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useClockValue } from '../../ui/clock.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import {
  addressWith,
  NamedLine,
  SaveForm,
  Secret,
  Section,
  ShownOnce,
  SureButton,
  type FormField,
} from './form.tsx';
import * as styles from './Setup.module.css';

type NewInvite = { label: string; token: string };

export function Invites(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [made, setMade] = useState<NewInvite | null>(null);
  const { value, failure, again } = useAsk('access.list', {});
  const { run: revoke } = useAct(async ({ id, label }: InviteRow) => {
    await call('access.revoke', { id }).finally(again);
    toast({
      tone: 'plain',
      title: `The invite of ${label} is revoked`,
      text: 'Open consoles were closed.',
    });
  }, 'Could not revoke it');
  return (
    <Section
      id="invites"
      title="Invites"
      about="An expert with a link sees the desk, live episodes and their own answers, and nothing else. The link is their seat: anyone who has it answers as them, until it expires or is revoked."
    >
      {failure === null ? null : <ErrorNote title="Could not read the invites" failure={failure} />}
      {value === null && failure === null ? <Skeleton rows={2} label="Reading the invites" /> : null}
      <ul className={styles.list} aria-label="Invites">
        {(value?.invites ?? []).map((invite) => (
          <NamedLine
            key={invite.id}
            name={invite.label}
            detail={<code className="one-line shrinks quiet">{invite.seat}</code>}
            acts={
              <SureButton
                verb="Revoke"
                name={invite.label}
                sureLabel="Revoke now"
                onSure={() => void revoke(invite)}
              />
            }
          >
            <InviteUsage invite={invite} />
          </NamedLine>
        ))}
      </ul>
      {made === null ? null : <NewInviteNote made={made} onClose={() => setMade(null)} />}
      <CreateInvite
        onMade={(next) => {
          setMade(next);
          again();
        }}
      />
    </Section>
  );
}

function InviteUsage({ invite }: { invite: InviteRow }): ReactNode {
  const { created_at: made, expires_at: end, last_used_at: used, made_by: maker } = invite;
  const left = useClockValue((now) => (end === null ? null : Math.ceil((end - now) / DAY_MS)));
  return (
    <p className="quiet">
      Made <RelativeTime at={made} isSpoken />
      {maker === null ? '' : ' with a key to the console'},{' '}
      {used === null ? (
        'not used yet'
      ) : (
        <>
          last used <RelativeTime at={used} isSpoken />
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
    </p>
  );
}

function NewInviteNote({ made, onClose }: { made: NewInvite; onClose: () => void }): ReactNode {
  const link = addressWith(made.token);
  const isLocal = /^(localhost|127\.|\[::1\])/.test(window.location.hostname);
  return (
    <ShownOnce title={`The link for ${made.label}. It is shown only once.`} onClose={onClose}>
      {link === null ? (
        <p>
          A browser needs a server: run <code>interject serve</code> on this data folder, and add{' '}
          <code className={styles.link}>#token={made.token}</code> to the address it prints, replacing the
          token there.
        </p>
      ) : (
        <Secret text={link} copyLabel="Copy the link" />
      )}
      {link !== null && isLocal ? (
        <p className="quiet">
          It works on this computer only. For another one, start Interject with <code>--host</code> and open
          it at that address first.
        </p>
      ) : null}
    </ShownOnce>
  );
}

const EMPTY = { label: '', days: String(INVITE_DAYS) };
const FIELDS: readonly FormField<typeof EMPTY>[] = [
  {
    name: 'label',
    label: 'Who to invite',
    hint: 'Needed. The log records only the seat.',
    maxLength: 80,
  },
  {
    name: 'days',
    label: 'Expires',
    hint: `After ${String(INVITE_DAYS)} days unless set.`,
    options: [
      { value: '7', label: 'After 7 days' },
      { value: '30', label: 'After 30 days' },
      { value: '90', label: 'After 90 days' },
      { value: '365', label: 'After a year' },
      { value: 'never', label: 'Never' },
    ],
  },
];

function CreateInvite({ onMade }: { onMade: (made: NewInvite) => void }): ReactNode {
  const { call } = useSession();
  const [draft, setDraft] = useState(EMPTY);
  const label = draft.label.trim();
  return (
    <SaveForm
      label="Create an invite"
      fields={FIELDS}
      draft={draft}
      onDraft={setDraft}
      isReady={label !== ''}
      onSave={async () => {
        const days = draft.days === 'never' ? null : Number(draft.days);
        const { invite, token } = await call('invites.create', { label, days });
        setDraft({ ...draft, label: '' });
        onMade({ label: invite.label, token });
      }}
      saveLabel="Create the link"
      problem="Could not create it"
    />
  );
}

export function OwnerToken(): ReactNode {
  const { call, enter } = useSession();
  const [renewed, setRenewed] = useState<string | null>(null);
  const { isBusy, failure, run } = useAct(async () => {
    const { token } = await call('owner.renew_token', {});
    await enter?.(token);
    setRenewed(token);
  });
  const address = renewed === null ? null : addressWith(renewed);
  return (
    <Section
      id="owner"
      title="Your own address"
      about="Whoever has it is the owner. This browser keeps it in a cookie that no page can read. Renew it when somebody may have seen it."
    >
      {renewed === null ? null : (
        <ShownOnce
          title={`${address === null ? 'The new token.' : 'The new address.'} It is shown only once here.`}
          onClose={() => setRenewed(null)}
        >
          <p>This console uses it already; the next start prints it again.</p>
          <Secret text={address ?? renewed} copyLabel="Copy it" />
        </ShownOnce>
      )}
      <div className="wrap-2 centered">
        <SureButton
          verb="Renew the address"
          name={null}
          sureLabel="Renew now"
          warning="Every other browser and script with the old one is signed out at once. Invites and keys stay."
          isBusy={isBusy}
          onSure={() => void run()}
        />
      </div>
      {failure === null ? null : <ErrorNote title="Could not renew it" failure={failure} />}
    </Section>
  );
}
