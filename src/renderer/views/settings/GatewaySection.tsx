// How the gateway treats clients: every setting with one sentence on what it does, saved as it is chosen.
import { useState, type ReactNode } from 'react';
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { GATEWAY_CHOICES } from './gatewayLabels.ts';
import * as section from './SettingsView.module.css';

type Save = (patch: Partial<GatewaySettings>) => Promise<unknown>;

export function GatewaySection(): ReactNode {
  const { call } = useSession();
  const { value, failure, again, replace } = useAsk('settings.read', {});
  const { run, failure: refused } = useAct(async (patch: Partial<GatewaySettings>) =>
    replace(await call('settings.change', { gateway: patch })),
  );
  return (
    <section className={section.section} aria-labelledby="gateway-title">
      <div className={section.about}>
        <h2 id="gateway-title" className={section.title}>
          Gateway
        </h2>
        <p>How connected trainers and agents are treated. Changes apply immediately.</p>
      </div>
      <div className={section.fields}>
        {failure === null ? null : (
          <ErrorNote title="Could not read the gateway’s settings" failure={failure} again={again} />
        )}
        {value === null && failure === null ? (
          <Skeleton rows={6} label="Reading the gateway’s settings" />
        ) : null}
        {value === null ? null : <Fields value={value.gateway} save={run} />}
        {refused === null ? null : <ErrorNote title="Could not save it" failure={refused} />}
      </div>
    </section>
  );
}

function Fields({ value, save }: { value: GatewaySettings; save: Save }): ReactNode {
  return (
    <>
      {GATEWAY_CHOICES.map(({ name, label, hint, options }) => (
        <Field key={name} label={label} help={hint}>
          <Select
            value={options.find(({ set }) => set === value[name])?.value ?? ''}
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
        value={value.ask_deadline_ms / 1000}
        max={Number.MAX_SAFE_INTEGER / 1000}
        onSave={(seconds) => save({ ask_deadline_ms: Math.round((seconds ?? 300) * 1000) })}
      />
      <SettingNumberField
        label="Characters the client keeps of an answer"
        hint="The public recipe cuts at 3,000, and the editor counts against this. Empty for no limit."
        value={value.cut_chars}
        isOptional
        max={10_000_000}
        onSave={(chars) => save({ cut_chars: chars })}
      />
    </>
  );
}

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
