// How an environment is reached beside its address: headers, an authority, how long a reset may take, by which road; and
// whether its episodes go on by themselves after a restart.
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ConnectionPatch, EnvironmentSettings } from '../../../shared/contract/environments.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { RESET_SECONDS, Transport } from '../../../shared/serverConnection.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './SettingsView.module.css';

type Connection = ConnectionPatch;
type KnownConnection = EnvironmentSettings['connection'];

const TRANSPORTS: Readonly<Record<Transport, string>> = {
  auto: 'Its socket, or POST /mcp where it has none',
  socket: 'Its socket only',
  mcp: 'Tool calls over POST /mcp',
};

/** Values that are stored stay in main: a header comes without one until a person types a new one. */
const draftOf = ({ headers, ...shown }: KnownConnection): Connection => ({
  ...shown,
  headers: headers.map((name) => ({ name, value: null })),
});

/** What is set, in the fewest words; null where nothing is. */
function summaryOf({ headers, ca_file, reset_seconds, transport, goes_on }: KnownConnection) {
  const parts = [
    ...(headers.length === 0
      ? []
      : [headers.length === 1 ? '1 header' : `${String(headers.length)} headers`]),
    ...(ca_file === null ? [] : ['own authority']),
    ...(reset_seconds === null ? [] : [`resets up to ${String(reset_seconds)} s`]),
    ...(transport === 'auto' ? [] : [transport === 'mcp' ? 'POST /mcp' : 'socket only']),
    ...(goes_on ? ['goes on after a restart'] : []),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
}

export function EnvironmentConnection({
  environment: { id, name },
}: {
  environment: EnvironmentSpec;
}): ReactNode {
  const { call } = useSession();
  const { value, replace } = useAsk('environment.read', { id });
  const [draft, setDraft] = useState<Connection | null>(null);
  const { isBusy, failure, run } = useAct(async (next: Connection) => {
    const headers = next.headers.filter((one) => one.name.trim() !== '' || (one.value ?? '') !== '');
    replace(await call('environment.change', { id, connection: { ...next, headers } }));
    setDraft(null);
  });
  if (value === null) return null;
  const known = value.connection;
  const shown = draft ?? draftOf(known);
  const change = (by: Partial<Connection>): void => setDraft({ ...shown, ...by });
  const summary = summaryOf(known);
  return (
    <details>
      <summary>Connection {summary === null ? null : <Badge>{summary}</Badge>}</summary>
      <div className={styles.connection}>
        <HeaderFields headers={shown.headers} onChange={(headers) => change({ headers })} />
        <ReachFields shown={shown} onChange={change} />
        <div className={styles.actions}>
          <Button size="small" isBusy={isBusy} isDisabled={draft === null} onClick={() => void run(shown)}>
            Save connection
          </Button>
          {draft === null ? null : (
            <Button size="small" tone="quiet" onClick={() => setDraft(null)}>
              Discard changes
            </Button>
          )}
        </div>
        {failure === null ? null : <ErrorNote title={`The connection of ${name}`} failure={failure} />}
      </div>
    </details>
  );
}

type HeaderFieldsProps = {
  headers: Connection['headers'];
  onChange: (headers: Connection['headers']) => void;
};

function HeaderFields({ headers, onChange }: HeaderFieldsProps): ReactNode {
  const set = (index: number, by: Partial<Connection['headers'][number]>): void =>
    onChange(headers.map((one, at) => (at === index ? { ...one, ...by } : one)));
  return (
    <>
      {headers.map(({ name, value }, index) => (
        // Headers have no identity but their place: a name may be half typed.
        <div className={styles.header} key={String(index)}>
          <Field label="Header">
            <Input
              isMono
              value={name}
              placeholder="X-Team"
              onChange={({ target }) => set(index, { name: target.value, value: value ?? '' })}
            />
          </Field>
          <Field label="Value">
            <Input
              isMono
              type="password"
              autoComplete="off"
              value={value ?? ''}
              placeholder={value === null ? 'Stored. Type to replace it.' : ''}
              onChange={({ target }) => set(index, { value: target.value })}
            />
          </Field>
          <IconButton
            label={`Remove the header ${name}`}
            icon={<Trash2 />}
            onClick={() => onChange(headers.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div className={styles.environmentLine}>
        <Button
          size="small"
          tone="quiet"
          icon={<Plus />}
          onClick={() => onChange([...headers, { name: '', value: '' }])}
        >
          Add header
        </Button>
        <span className={styles.cost}>Sent with every request. Values are kept as secrets.</span>
      </div>
    </>
  );
}

type ReachFieldsProps = { shown: Connection; onChange: (change: Partial<Connection>) => void };

function ReachFields({ shown, onChange }: ReachFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="Certificate authority"
        help="A PEM file on this machine, trusted for this environment only. Empty for the usual authorities."
      >
        <Input
          isMono
          value={shown.ca_file ?? ''}
          placeholder="/etc/ssl/our-authority.pem"
          onChange={({ target }) => onChange({ ca_file: target.value === '' ? null : target.value })}
        />
      </Field>
      <Field label="Seconds a reset may take" hint={`Empty for ${String(RESET_SECONDS)}.`}>
        <Input
          type="number"
          min={1}
          max={86_400}
          value={shown.reset_seconds ?? ''}
          onChange={({ target }) =>
            onChange({ reset_seconds: target.valueAsNumber > 0 ? Math.round(target.valueAsNumber) : null })
          }
        />
      </Field>
      <Field
        label="Driven over"
        help="POST /mcp knows tools alone: no reset arguments, and rewards only where a tool’s answer holds them."
      >
        <Select
          value={shown.transport}
          options={Transport.options.map((value) => ({ value, label: TRANSPORTS[value] }))}
          onChoose={(transport) => onChange({ transport })}
        />
      </Field>
      <Field
        label="After a restart"
        help="Going on resets the environment and makes the calls of the log again. Say yes only where no call reaches something outside the episode, such as mail or payments. Otherwise the episode waits on the desk for your word."
      >
        <Select
          value={shown.goes_on ? 'yes' : 'no'}
          options={[
            { value: 'no', label: 'Episodes wait on the desk' },
            { value: 'yes', label: 'Episodes go on: no effects outside an episode' },
          ]}
          onChoose={(chosen) => onChange({ goes_on: chosen === 'yes' })}
        />
      </Field>
    </>
  );
}
