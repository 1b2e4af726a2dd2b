// What is set for one environment: what agents are told of it, how its tasks are verified, whether drafts are tried on it,
// and how it is reached beside its address.
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { ConnectionPatch, EnvironmentSettings } from '../../../shared/contract/environments.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { RESET_SECONDS, Transport } from '../../../shared/serverConnection.ts';
import { VERIFIER_LABELS } from '../../parts/verifierLabels.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import { formatMoment } from '../../ui/time.ts';
import * as styles from './SettingsView.module.css';

type Change = (patch: Omit<Inputs['environment.change'], 'id'>) => Promise<void>;
type DetailsProps = { name: string; settings: EnvironmentSettings; change: Change };

export function EnvironmentDetails({
  environment: { id, name },
}: {
  environment: EnvironmentSpec;
}): ReactNode {
  const { call } = useSession();
  const { value, again, replace } = useAsk('environment.read', { id });
  if (value === null) return null;
  const change: Change = async (patch) => replace(await call('environment.change', { id, ...patch }));
  const props = { name, settings: value, change };
  const { verifier, tries } = value;
  return (
    <>
      <Instructions {...props} />
      <SavedChoice
        summary={verifier.own === null ? 'Verification' : `Verification (${VERIFIER_LABELS[verifier.own]})`}
        label="Verified by"
        help="For servers with AWM’s verifiers. A run that says how it is verified stands over this, and this over the settings."
        value={verifier.own ?? 'usual'}
        options={[
          { value: 'usual', label: `As under Agent World Model: ${VERIFIER_LABELS[verifier.usual]}` },
          { value: 'code', label: VERIFIER_LABELS.code },
          { value: 'sql', label: VERIFIER_LABELS.sql },
        ]}
        save={(mode) => change({ verifier: mode === 'usual' ? null : mode })}
      />
      <SavedChoice
        summary={`Tries of drafts${
          !tries.is_allowed ? '' : tries.isolated === null ? ' (after an audit)' : ' (by themselves)'
        }`}
        label="Try drafts by themselves"
        // A try must not be seen in the episode that plays.
        hint={`While an expert decides, the calls of the draft are made in a session of their own, which is thrown away, and their results are shown. Leave it off where a call reaches something outside the session, such as mail or payments. ${
          tries.isolated === null
            ? 'It takes an audit that saw two sessions kept apart; none has yet.'
            : `Audited ${formatMoment(tries.isolated.at)}: ${tries.isolated.proof}.`
        }`}
        value={tries.is_allowed ? 'on' : 'off'}
        options={[
          { value: 'off', label: 'Off: an expert tries them with a button' },
          { value: 'on', label: 'On' },
        ]}
        save={(chosen) => change({ tries: chosen === 'on' })}
        onToggle={again}
      />
      <Connection {...props} />
    </>
  );
}

type SavedChoiceProps<V extends string> = {
  summary: string;
  label: string;
  hint?: string;
  help?: string;
  value: V;
  options: readonly { value: V; label: string }[];
  save: (value: V) => Promise<void>;
  onToggle?: () => void;
};

/** One of a few, saved as it is chosen. */
function SavedChoice<V extends string>(props: SavedChoiceProps<V>): ReactNode {
  const { summary, value, options, save, onToggle, ...field } = props;
  const { failure, run } = useAct(save);
  return (
    <details onToggle={onToggle}>
      <summary>{summary}</summary>
      <Field {...field}>
        <Select value={value} options={options} onChoose={(chosen) => void run(chosen)} />
      </Field>
      {failure === null ? null : <ErrorNote title="Could not save it" failure={failure} />}
    </details>
  );
}

/** What agents are told of the environment, at the end of their system prompt. */
function Instructions({ name, settings, change }: DetailsProps): ReactNode {
  const [draft, setDraft] = useState<string | null>(null);
  const { isBusy, failure, run } = useAct(async (text: string | null) => {
    await change({ text });
    setDraft(null);
  });
  const saved = settings.text;
  const text = draft ?? saved ?? '';
  return (
    <details>
      <summary>
        {saved === null ? 'Instructions for the agent' : 'Instructions for the agent (yours)'}
      </summary>
      <Field
        label={`What the agent is told of ${name}`}
        help={`Added to the agent’s system prompt and recorded with each episode. Left unset, an Agent World Model server gets: “${settings.awm_text}”`}
      >
        <Textarea rows={3} maxLength={8000} value={text} onChange={({ target }) => setDraft(target.value)} />
      </Field>
      <div className={styles.environmentLine}>
        <Button size="small" isBusy={isBusy} isDisabled={draft === null} onClick={() => void run(text)}>
          Save instructions
        </Button>
        {saved === null ? null : (
          <Button size="small" tone="quiet" onClick={() => void run(null)}>
            Use the default
          </Button>
        )}
      </div>
      {failure === null ? null : <ErrorNote title="Could not save the instructions" failure={failure} />}
    </details>
  );
}

type KnownConnection = EnvironmentSettings['connection'];

const TRANSPORTS: Readonly<Record<Transport, string>> = {
  auto: 'Its socket, or POST /mcp where it has none',
  socket: 'Its socket only',
  mcp: 'Tool calls over POST /mcp',
};

/** Values that are stored stay in main: a header comes without one until a person types a new one. */
const draftOf = ({ headers, ...shown }: KnownConnection): ConnectionPatch => ({
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

/** Headers, an authority, how long a reset may take, by which road; and whether episodes go on after a restart. */
function Connection({ name, settings: { connection: known }, change }: DetailsProps): ReactNode {
  const [draft, setDraft] = useState<ConnectionPatch | null>(null);
  const { isBusy, failure, run } = useAct(async (next: ConnectionPatch) => {
    const headers = next.headers.filter((one) => one.name.trim() !== '' || (one.value ?? '') !== '');
    await change({ connection: { ...next, headers } });
    setDraft(null);
  });
  const shown = draft ?? draftOf(known);
  const edit = (by: Partial<ConnectionPatch>): void => setDraft({ ...shown, ...by });
  const summary = summaryOf(known);
  return (
    <details>
      <summary>Connection {summary === null ? null : <Badge>{summary}</Badge>}</summary>
      <div className={styles.connection}>
        <HeaderFields headers={shown.headers} onChange={(headers) => edit({ headers })} />
        <ReachFields shown={shown} onChange={edit} />
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
  headers: ConnectionPatch['headers'];
  onChange: (headers: ConnectionPatch['headers']) => void;
};

function HeaderFields({ headers, onChange }: HeaderFieldsProps): ReactNode {
  const set = (index: number, by: Partial<ConnectionPatch['headers'][number]>): void =>
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
        <span className="quiet">Sent with every request. Values are kept as secrets.</span>
      </div>
    </>
  );
}

type ReachFieldsProps = { shown: ConnectionPatch; onChange: (change: Partial<ConnectionPatch>) => void };

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
