// The arms of a new bench, who acts in them, and the budgets that hold for all.
import type { ReactNode } from 'react';
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { Segments } from '../../ui/Segments.tsx';
import * as styles from './Bench.module.css';
import {
  ARM_CONDITIONS,
  primaryPairs,
  type ArmCondition,
  type BenchForm,
  type FormProblems,
} from './benchForm.ts';

type FieldsProps = { form: BenchForm; problems: FormProblems; onChange: (by: Partial<BenchForm>) => void };

const ARM_TEXT: Readonly<Record<ArmCondition, string>> = {
  none: 'No help',
  model: 'A model answers',
  human: 'A person answers',
  'human+draft': 'A person answers, with a model’s draft',
};

const COMPARES = [
  { value: 'help', label: 'Kinds of help' },
  { value: 'checkpoints', label: 'Two checkpoints' },
] as const;

export function ArmFields(props: FieldsProps): ReactNode {
  const { form, onChange } = props;
  const pairs = primaryPairs(form);
  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>Arms</legend>
      <div>
        <Segments
          label="What is compared"
          options={COMPARES}
          value={form.compares}
          onChoose={(compares) => onChange({ compares })}
        />
      </div>
      {form.compares === 'help' ? <HelpFields {...props} /> : <CheckpointFields {...props} />}
      <Field label="Primary comparison" help="The one the bench is made for; all others are adjusted.">
        <Select
          value={pairs.some(({ value }) => value === form.primary) ? form.primary : (pairs[0]?.value ?? '')}
          options={pairs}
          onChoose={(primary) => onChange({ primary })}
        />
      </Field>
      {form.compares === 'help' ? (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={form.isPrivileged}
            onChange={({ target }) => onChange({ isPrivileged: target.checked })}
          />
          <span>
            Advisors see what is checked, and the answer
            <span className="quiet"> (the report says so)</span>
          </span>
        </label>
      ) : null}
    </fieldset>
  );
}

function HelpFields({ form, problems, onChange }: FieldsProps): ReactNode {
  const ownModel = useConsole(({ record }) => record.app?.agent_model ?? null);
  const profiles = useAsk('settings.read', {}).value?.profiles ?? [];
  const agents = [
    { value: 'rehearsal', label: 'Rehearsal: a script, no model' },
    ...(ownModel === null ? [] : [{ value: 'own', label: `The agent’s own model: ${ownModel}` }]),
    ...profiles.map(({ name, model }) => ({ value: `profile:${name}`, label: `${name}: ${model}` })),
  ];
  const chosen =
    form.policy === 'rehearsal' ? 'rehearsal' : form.profile === '' ? 'own' : `profile:${form.profile}`;
  const toggle = (condition: ArmCondition, isIn: boolean): void =>
    onChange({
      conditions: isIn ? [...form.conditions, condition] : form.conditions.filter((one) => one !== condition),
    });
  return (
    <>
      <div role="group" aria-label="Who may advise" className="stack-1">
        {ARM_CONDITIONS.map((condition) => (
          <label key={condition} className={styles.check}>
            <input
              type="checkbox"
              checked={form.conditions.includes(condition)}
              onChange={({ target }) => toggle(condition, target.checked)}
            />
            <span>
              {ARM_TEXT[condition]} <code className="quiet">{condition}</code>
            </span>
          </label>
        ))}
        {problems.conditions === undefined ? null : (
          <p className="bad" role="alert">
            {problems.conditions}
          </p>
        )}
      </div>
      <Field label="Agent" hint="The same in every arm.">
        <Select
          value={chosen}
          options={agents}
          onChoose={(agent) =>
            onChange({
              policy: agent === 'rehearsal' ? 'rehearsal' : 'chat',
              profile: agent.startsWith('profile:') ? agent.slice('profile:'.length) : '',
            })
          }
        />
      </Field>
      <ProtocolField form={form} onChange={onChange} />
    </>
  );
}

function CheckpointFields({ form, problems, onChange }: FieldsProps): ReactNode {
  const profiles = useAsk('settings.read', {}).value?.profiles ?? [];
  const options = [
    { value: '', label: profiles.length === 0 ? 'No profile is saved' : 'Choose a profile' },
    ...profiles.map(({ name, model }) => ({ value: name, label: `${name}: ${model}` })),
  ];
  return (
    <>
      <Field label="Before">
        <Select value={form.before} options={options} onChoose={(before) => onChange({ before })} />
      </Field>
      <Field label="After" error={problems.after ?? null}>
        <Select value={form.after} options={options} onChoose={(after) => onChange({ after })} />
      </Field>
      <p className="quiet">Both act without help. Profiles are saved under Settings, Model profiles.</p>
      <ProtocolField form={form} onChange={onChange} />
    </>
  );
}

const ProtocolField = ({ form, onChange }: Pick<FieldsProps, 'form' | 'onChange'>): ReactNode => (
  <Field label="How it calls tools">
    <Select
      value={form.protocol}
      options={[
        { value: 'native', label: 'Native tool calls' },
        { value: 'xml', label: '<tool_call> in the text' },
      ]}
      onChoose={(protocol) => onChange({ protocol })}
    />
  </Field>
);

type TextField =
  'seeds' | 'concurrency' | 'turns' | 'asks' | 'hourlyMinutes' | 'deadlineS' | 'orderSeed' | 'name';
const NUMBER_FIELDS: readonly { field: TextField; label: string; empty?: string }[] = [
  { field: 'seeds', label: 'Runs of each task', empty: '5, of two checkpoints 1' },
  { field: 'concurrency', label: 'Episodes at once' },
  { field: 'turns', label: 'Turns of an episode', empty: 'As the settings say' },
  { field: 'asks', label: 'Questions of an episode', empty: 'As the settings say' },
  { field: 'hourlyMinutes', label: 'People’s minutes an hour', empty: 'No limit' },
  { field: 'deadlineS', label: 'Seconds a question waits', empty: 'As long as it takes' },
];

export function BudgetFields({ form, problems, onChange }: FieldsProps): ReactNode {
  const text = ({ field, label, empty }: (typeof NUMBER_FIELDS)[number]): ReactNode => (
    <Field key={field} label={label} error={problems[field] ?? null}>
      <Input
        inputMode={field === 'name' ? 'text' : 'decimal'}
        value={form[field]}
        placeholder={empty}
        onChange={({ target }) => onChange({ [field]: target.value })}
      />
    </Field>
  );
  return (
    <fieldset className={styles.wide}>
      <legend className={styles.legend}>Runs and budgets, in every arm</legend>
      <div className={styles.pairs}>
        {NUMBER_FIELDS.map(text)}
        {text({ field: 'orderSeed', label: 'Order drawn with' })}
        {text({ field: 'name', label: 'Name', empty: 'Made from the plan' })}
      </div>
      {form.deadlineS.trim() === '' ? null : (
        <Field label="Then">
          <Select
            value={form.fallback}
            options={[
              { value: 'proceed', label: 'The agent goes on without advice' },
              { value: 'draft', label: 'The draft is sent' },
            ]}
            onChoose={(fallback) => onChange({ fallback })}
          />
        </Field>
      )}
    </fieldset>
  );
}
