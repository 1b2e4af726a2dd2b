// Settings of one environment: what agents are told of it, how its tasks are verified, whether drafts are tried on it,
// and how it is reached beside its address.
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ConnectionPatch, EnvironmentSettings } from '../../../shared/contract/environments.ts';
import { VerifierMode, type EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { RESET_SECONDS, Transport } from '../../../shared/serverConnection.ts';
import { VERIFIER_LABELS } from '../../parts/verifierLabels.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { formatMoment } from '../../ui/time.ts';
import { orNull, SaveForm, type FormField } from './form.tsx';
import * as styles from './Setup.module.css';

type EnvironmentDetailsProps = { environment: EnvironmentSpec; isOpen: boolean; onLeave: () => void };

/** The settings, in words; while it is open, the form that changes them. */
export function EnvironmentDetails({ environment, isOpen, onLeave }: EnvironmentDetailsProps): ReactNode {
  const { call } = useSession();
  const { id, name } = environment;
  const { value, replace } = useAsk('environment.read', { id });
  if (value === null) return null;
  if (!isOpen) return <p className="quiet">{summaryOf(value)}</p>;
  return (
    <EnvironmentForm
      name={name}
      settings={value}
      onSave={async (patch) => {
        replace(await call('environment.change', { id, ...patch }));
        onLeave();
      }}
      onLeave={onLeave}
    />
  );
}

const TRANSPORTS: Readonly<Record<Transport, string>> = {
  auto: 'Its socket, or POST /mcp where it has none',
  socket: 'Its socket only',
  mcp: 'Tool calls over POST /mcp',
};

/** The settings in the fewest words; null without any. */
function summaryOf({ text, verifier, tries, connection }: EnvironmentSettings): string | null {
  const { headers, ca_file, reset_seconds, transport, goes_on } = connection;
  const parts = [
    ...(text === null ? [] : ['own instructions']),
    ...(verifier.own === null ? [] : [`verified by ${VERIFIER_LABELS[verifier.own]}`]),
    ...(tries.is_allowed ? [tries.isolated === null ? 'tries drafts after an audit' : 'tries drafts'] : []),
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

type Draft = Readonly<
  Record<'text' | 'verifier' | 'tries' | 'caFile' | 'resetSeconds' | 'transport' | 'goesOn', string>
>;

const draftOf = ({ text, verifier, tries, connection }: EnvironmentSettings): Draft => ({
  text: text ?? '',
  verifier: verifier.own ?? 'usual',
  tries: tries.is_allowed ? 'yes' : 'no',
  caFile: connection.ca_file ?? '',
  resetSeconds: String(connection.reset_seconds ?? ''),
  transport: connection.transport,
  goesOn: connection.goes_on ? 'yes' : 'no',
});

const fieldsOf = ({ awm_text, verifier, tries }: EnvironmentSettings, draft: Draft): FormField<Draft>[] => [
  {
    name: 'text',
    label: 'What the agent is told of it',
    hint: 'Nothing unless set, or what an Agent World Model server needs.',
    help: `Added to the agent’s system prompt and recorded with each episode. An Agent World Model server gets: “${awm_text}”`,
    kind: 'area',
    maxLength: 8000,
  },
  {
    name: 'verifier',
    label: 'Verified by',
    hint: `${VERIFIER_LABELS[verifier.usual]} unless set, as for every environment. For servers with AWM’s verifiers.`,
    options: [
      { value: 'usual', label: `As every environment: ${VERIFIER_LABELS[verifier.usual]}` },
      ...VerifierMode.options.map((value) => ({ value, label: VERIFIER_LABELS[value] })),
    ],
  },
  {
    name: 'tries',
    label: 'Try drafts by themselves',
    // A try must not be seen in the episode that plays.
    hint: `Off unless set. ${
      tries.isolated === null
        ? 'It takes an audit that saw two sessions kept apart; none has yet.'
        : `Audited ${formatMoment(tries.isolated.at)}: ${tries.isolated.proof}.`
    }`,
    help: 'While an expert decides, the calls of the draft are made in a session of their own, which is thrown away, and their results are shown. Leave it off where a call reaches something outside the session, such as mail or payments.',
    options: [
      { value: 'no', label: 'Off: an expert tries them with a button' },
      { value: 'yes', label: 'On' },
    ],
  },
  {
    name: 'caFile',
    label: 'Certificate authority',
    hint: 'The usual authorities unless set.',
    help: 'A PEM file on this machine, trusted for this environment only.',
    kind: 'mono',
  },
  {
    name: 'resetSeconds',
    label: 'Seconds a reset may take',
    hint: `${String(RESET_SECONDS)} unless set.`,
    kind: 'number',
    error: resetSeconds(draft) === undefined ? 'A whole number from 1 to 86,400.' : null,
  },
  {
    name: 'transport',
    label: 'Driven over',
    hint: `${TRANSPORTS.auto}, unless set.`,
    help: 'POST /mcp knows tools alone: no reset arguments, and rewards only where a tool’s answer holds them.',
    options: Transport.options.map((value) => ({ value, label: TRANSPORTS[value] })),
  },
  {
    name: 'goesOn',
    label: 'After a restart',
    hint: 'Episodes wait on the desk unless set.',
    help: 'Going on resets the environment and makes the calls of the log again. Say yes only where no call reaches something outside the episode, such as mail or payments.',
    options: [
      { value: 'no', label: 'Episodes wait on the desk' },
      { value: 'yes', label: 'Episodes go on: no effects outside an episode' },
    ],
  },
];

/** Null for the usual; undefined for what is no number of seconds. */
function resetSeconds({ resetSeconds: text }: Draft): number | null | undefined {
  const seconds = text.trim() === '' ? null : Number(text);
  return seconds === null || (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400)
    ? seconds
    : undefined;
}

type EnvironmentPatch = {
  text: string | null;
  verifier: VerifierMode | null;
  tries: boolean;
  connection: ConnectionPatch;
};
type EnvironmentFormProps = {
  name: string;
  settings: EnvironmentSettings;
  onSave: (patch: EnvironmentPatch) => Promise<void>;
  onLeave: () => void;
};

function EnvironmentForm({ name, settings, onSave, onLeave }: EnvironmentFormProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(settings));
  // Values that are stored stay in main: a header comes without one until a person types a new one.
  const [headers, setHeaders] = useState(() =>
    settings.connection.headers.map((header): Header => ({ name: header, value: null })),
  );
  const seconds = resetSeconds(draft);
  return (
    <SaveForm
      label={`Change ${name}`}
      fields={fieldsOf(settings, draft)}
      draft={draft}
      onDraft={setDraft}
      isReady={seconds !== undefined}
      onSave={() =>
        onSave({
          text: orNull(draft.text),
          verifier: VerifierMode.safeParse(draft.verifier).data ?? null,
          tries: draft.tries === 'yes',
          connection: {
            ca_file: orNull(draft.caFile),
            reset_seconds: seconds ?? null,
            transport: Transport.parse(draft.transport),
            goes_on: draft.goesOn === 'yes',
            headers: headers.filter((one) => one.name.trim() !== '' || (one.value ?? '') !== ''),
          },
        })
      }
      saveLabel="Save"
      problem={`Could not change ${name}`}
      takesFocus
      acts={
        <Button tone="quiet" onClick={onLeave}>
          Leave as it was
        </Button>
      }
    >
      <HeaderFields headers={headers} onChange={setHeaders} />
    </SaveForm>
  );
}

type Header = ConnectionPatch['headers'][number];
type HeaderFieldsProps = { headers: readonly Header[]; onChange: (headers: Header[]) => void };

function HeaderFields({ headers, onChange }: HeaderFieldsProps): ReactNode {
  const set = (index: number, by: Partial<Header>): void =>
    onChange(headers.map((one, at) => (at === index ? { ...one, ...by } : one)));
  return (
    <div className={styles.wholeRow}>
      {headers.map(({ name, value }, index) => (
        // Headers have no identity but their place: a name may be half typed.
        <div className={styles.header} key={String(index)}>
          <Field label="Header" hint="None unless added.">
            <Input
              isMono
              value={name}
              onChange={({ target }) => set(index, { name: target.value, value: value ?? '' })}
            />
          </Field>
          <Field
            label="Value"
            hint={value === null ? 'The stored one unless set.' : 'Needed. Kept as a secret.'}
          >
            <Input
              isMono
              type="password"
              autoComplete="off"
              value={value ?? ''}
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
      <div className={styles.line}>
        <Button
          size="small"
          tone="quiet"
          icon={<Plus />}
          onClick={() => onChange([...headers, { name: '', value: '' }])}
        >
          Add header
        </Button>
        <span className="quiet">Sent with every request.</span>
      </div>
    </div>
  );
}
