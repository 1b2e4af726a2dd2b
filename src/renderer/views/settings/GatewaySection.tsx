// Owns: how the gateway treats clients: every setting with one sentence on what it does, saved as it is chosen.
import { useState, type ReactNode } from 'react';
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CHOICES } from './keyWords.ts';
import section from './SettingsView.module.css';

type Save = (patch: Partial<GatewaySettings>) => Promise<void>;

export function GatewaySection(): ReactNode {
  const { call } = useSession();
  const { value, failure, again, replace } = useAnswer('gateway.settings', () =>
    call('gateway.settings', {}),
  );
  const [refused, setRefused] = useState<FailureShape | null>(null);
  const save: Save = async (patch) => {
    setRefused(null);
    try {
      replace(await call('gateway.configure', patch));
    } catch (thrown) {
      setRefused(failureShape(thrown));
    }
  };
  return (
    <section className={section['section']} aria-labelledby="gateway-title">
      <div className={section['about']}>
        <h2 id="gateway-title" className={section['title']}>
          Gateway
        </h2>
        <p>How trainers and agents that come from outside are treated. Each choice holds at once.</p>
      </div>
      <div className={section['fields']}>
        {failure === null ? null : (
          <ErrorNote
            title="Could not read the gateway’s settings"
            failure={failure}
            action={
              <Button size="small" onClick={again}>
                Try again
              </Button>
            }
          />
        )}
        {value === null && failure === null ? (
          <Skeleton rows={6} label="Reading the gateway’s settings" />
        ) : null}
        {value === null ? null : <Fields value={value} save={save} />}
        {refused === null ? null : <ErrorNote title="Could not save it" failure={refused} />}
      </div>
    </section>
  );
}

function Fields({ value, save }: { value: GatewaySettings; save: Save }): ReactNode {
  return (
    <>
      {CHOICES.map(({ name, label, hint, options }) => (
        <Field key={name} label={label} hint={hint}>
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
      <NumberField
        label="Seconds a held call may wait"
        hint="A stock client gives up after 60 seconds; stay below it."
        value={value.hold_limit_ms / 1000}
        max={3600}
        onSave={(seconds) => save({ hold_limit_ms: Math.round((seconds ?? 50) * 1000) })}
      />
      <NumberField
        label="Seconds a client’s question may wait"
        hint="How long a person has before the client gets what is chosen above."
        value={value.ask_deadline_ms / 1000}
        max={3600}
        onSave={(seconds) => save({ ask_deadline_ms: Math.round((seconds ?? 300) * 1000) })}
      />
      <NumberField
        label="Characters the client keeps of an answer"
        hint="The public recipe cuts at 3,000; the editor counts against it. Empty for no cut."
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
  onSave: (value: number | null) => Promise<void>;
};

/** Saved when it is left or with Enter; what is no number stays in the field, with what is wrong. */
function NumberField({ label, hint, value, max, isOptional = false, onSave }: NumberProps): ReactNode {
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
      hint={hint}
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
