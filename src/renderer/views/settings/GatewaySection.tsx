// How the gateway treats clients: every setting with one sentence on what it does, saved as it is chosen.
import { useState, type ReactNode } from 'react';
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import { useAct } from '../../state/queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { SettingsSection, type ChangeSettings } from './SettingsForm.tsx';

export const GatewaySection = (): ReactNode => (
  <SettingsSection
    id="gateway"
    title="Gateway"
    about="How connected trainers and agents are treated. Changes apply immediately."
  >
    {({ gateway }, change) => <GatewayFields gateway={gateway} change={change} />}
  </SettingsSection>
);

type GatewayFieldsProps = { gateway: GatewaySettings; change: ChangeSettings };

function GatewayFields({ gateway, change }: GatewayFieldsProps): ReactNode {
  const { run: save, failure } = useAct((patch: Partial<GatewaySettings>) => change({ gateway: patch }));
  return (
    <>
      {CHOICES.map(({ name, label, hint, options }) => (
        <Field key={name} label={label} help={hint}>
          <Select
            value={options.find(({ set }) => set === gateway[name])?.value ?? ''}
            options={options}
            onChoose={(chosen) => {
              const option = options.find((one) => one.value === chosen);
              if (option !== undefined) void save({ [name]: option.set });
            }}
          />
        </Field>
      ))}
      <SettingNumberField
        label="Seconds a client’s question may wait"
        hint="How long a person has before the option above applies."
        value={gateway.ask_deadline_ms / 1000}
        max={Number.MAX_SAFE_INTEGER / 1000}
        onSave={(seconds) => save({ ask_deadline_ms: Math.round((seconds ?? 300) * 1000) })}
      />
      <SettingNumberField
        label="Characters the client keeps of an answer"
        hint="The public recipe cuts at 3,000, and the editor counts against this. Empty for no limit."
        value={gateway.cut_chars}
        isOptional
        max={10_000_000}
        onSave={(chars) => save({ cut_chars: chars })}
      />
      {failure === null ? null : <ErrorNote title="Could not save it" failure={failure} />}
    </>
  );
}

type SettingChoice<K extends keyof GatewaySettings> = {
  name: K;
  label: string;
  hint: string;
  options: readonly { value: string; label: string; set: GatewaySettings[K] }[];
};
type AnyChoice = { [K in keyof GatewaySettings]: SettingChoice<K> }[keyof GatewaySettings];

/** Settings that are one of a few, each with one sentence on what it does. */
const CHOICES: readonly AnyChoice[] = [
  {
    name: 'may_act',
    label: 'What people may do in tapped episodes',
    hint: 'An unmodified trainer treats whatever comes back as the result of its own words, so actions mark the turn they changed.',
    options: [
      { value: 'no', label: 'Advice and notes only', set: false },
      { value: 'yes', label: 'Actions too; marks the episode', set: true },
    ],
  },
  {
    name: 'on_touch',
    label: 'When a person changes a turn',
    hint: 'Marked turns are named in later frames. A discarded episode ends with a server error, which recipes leave out.',
    options: [
      { value: 'mark', label: 'Passes on, marked', set: 'mark' },
      { value: 'discard', label: 'Ends the episode', set: 'discard' },
    ],
  },
  {
    name: 'reserved_tools',
    label: '“verify” and “done” from a client',
    hint: 'A client’s agent and its orchestrator look the same, so both are allowed unless you refuse them.',
    options: [
      { value: 'pass', label: 'Pass', set: 'pass' },
      { value: 'refuse', label: 'Are refused', set: 'refuse' },
    ],
  },
  {
    name: 'note_in_result',
    label: 'Where notes go',
    hint: 'Metadata reaches only clients that read it. The result text reaches every agent and counts as a change.',
    options: [
      { value: 'no', label: 'In the observation’s metadata', set: false },
      { value: 'yes', label: 'Also in the next tool result', set: true },
    ],
  },
  {
    name: 'analysis',
    label: 'Verifier summary requests',
    hint: 'Recipes ask the expert model once to summarise a verifier. The advisor answers these unless you want them at the desk.',
    options: [
      { value: 'advisor', label: 'Answered by the advisor', set: 'advisor' },
      { value: 'person', label: 'Sent to the desk', set: 'person' },
    ],
  },
  {
    name: 'ask_fallback',
    label: 'When a client’s question times out',
    hint: 'Either way the client gets a normal answer, never an error.',
    options: [
      { value: 'draft', label: 'Gets the draft', set: 'draft' },
      { value: 'proceed', label: 'Is told there is no advice', set: 'proceed' },
    ],
  },
  {
    name: 'mcp',
    label: 'The MCP door',
    hint: 'A separate server with ask_expert, never merged with an environment’s tools.',
    options: [
      { value: 'no', label: 'Closed', set: false },
      { value: 'yes', label: 'Open', set: true },
    ],
  },
];

type NumberProps = {
  label: string;
  hint: string;
  value: number | null;
  max: number;
  isOptional?: boolean;
  onSave: (value: number | null) => Promise<unknown>;
};

/** Saved when it is left or with Enter; what is no number stays in the field, with what is wrong. */
function SettingNumberField({ label, hint, value, max, isOptional = false, onSave }: NumberProps): ReactNode {
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (value === null ? '' : String(value));
  const number = shown.trim() === '' ? null : Number(shown);
  const isWrong = number === null ? !isOptional : !(Number.isInteger(number) && number >= 1 && number <= max);
  const commit = (): void => {
    if (text === null || isWrong) return;
    setText(null);
    if (number !== value) void onSave(number);
  };
  return (
    <Field
      label={label}
      help={hint}
      error={isWrong ? `A whole number from 1 to ${max.toLocaleString()}.` : null}
    >
      <Input
        inputMode="numeric"
        value={shown}
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
        }}
      />
    </Field>
  );
}
