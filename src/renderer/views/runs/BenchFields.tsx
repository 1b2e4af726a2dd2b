// The arms of a new bench, who acts in them, and the budgets that hold for all.
import type { ReactNode } from 'react';
import { CHECKPOINT_TASKS, DEFAULT_SEEDS, type BenchChoice } from '../../../shared/bench/choice.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import type { Condition } from '../../../shared/events/lifecycle.ts';
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { Segments } from '../../ui/Segments.tsx';
import * as styles from './Bench.module.css';

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
      <p className="quiet">Both act without help. Profiles are saved under Setup, Models.</p>
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

/** Episodes that run at once where nobody says otherwise. */
export const CONCURRENCY = 8;

export const ARM_CONDITIONS = [
  'none',
  'model',
  'human',
  'human+draft',
] as const satisfies readonly Condition[];
export type ArmCondition = (typeof ARM_CONDITIONS)[number];

export type BenchForm = {
  name: string;
  /** The name of a pinned split; empty for the file that was picked. */
  split: string;
  /** `problem`: why its tasks cannot be read. */
  file: { name: string; text: string; problem: string | null } | null;
  section: 'train' | 'val';
  environment: string;
  compares: 'help' | 'checkpoints';
  conditions: readonly ArmCondition[];
  before: string;
  after: string;
  policy: 'rehearsal' | 'chat';
  profile: string;
  protocol: 'native' | 'xml';
  /** The arm minus another: `first:second`; empty for the last arm minus the first. */
  primary: string;
  isPrivileged: boolean;
  seeds: string;
  maxTasks: string;
  concurrency: string;
  turns: string;
  asks: string;
  hourlyMinutes: string;
  deadlineS: string;
  fallback: 'proceed' | 'draft';
  orderSeed: string;
};

export const EMPTY_FORM: BenchForm = {
  name: '',
  split: '',
  file: null,
  section: 'val',
  environment: BUILT_IN,
  compares: 'help',
  conditions: ['none', 'model'],
  before: '',
  after: '',
  policy: 'rehearsal',
  profile: '',
  protocol: 'native',
  primary: '',
  isPrivileged: false,
  seeds: '',
  maxTasks: '',
  concurrency: String(CONCURRENCY),
  turns: '',
  asks: '',
  hourlyMinutes: '',
  deadlineS: '',
  fallback: 'proceed',
  orderSeed: '0',
};

export type FormProblems = Partial<Record<keyof BenchForm, string>>;

type NumberField =
  'seeds' | 'maxTasks' | 'concurrency' | 'turns' | 'asks' | 'orderSeed' | 'hourlyMinutes' | 'deadlineS';
/** The least of each, the most, and whether it is whole. */
const NUMBERS: Readonly<Record<NumberField, readonly [least: number, most: number, isWhole: boolean]>> = {
  seeds: [1, 100, true],
  maxTasks: [1, 100_000, true],
  concurrency: [1, 64, true],
  turns: [1, 1000, true],
  asks: [0, 64, true],
  orderSeed: [0, 1_000_000_000, true],
  hourlyMinutes: [0.1, 10_000, false],
  deadlineS: [1, 1_000_000, false],
};
const REQUIRED: ReadonlySet<string> = new Set(['concurrency', 'orderSeed']);

/** Problems to mend before there is a plan; nothing is said of what is not filled in yet. */
export function problemsOf(form: BenchForm): FormProblems {
  const problems: FormProblems = {};
  for (const [field, [least, most, isWhole]] of Object.entries(NUMBERS) as [
    NumberField,
    (typeof NUMBERS)[NumberField],
  ][]) {
    const text = form[field].trim();
    if (text === '' && !REQUIRED.has(field)) continue;
    const value = Number(text);
    const isNumber = text !== '' && Number.isFinite(value) && (!isWhole || Number.isInteger(value));
    if (!isNumber || value < least || value > most)
      problems[field] =
        `Give a ${isWhole ? 'whole number' : 'number'} from ${String(least)} to ${most.toLocaleString()}.`;
  }
  const fileProblem = form.split === '' ? (form.file?.problem ?? null) : null;
  if (fileProblem !== null) problems.file = fileProblem;
  if (form.compares === 'help' && form.conditions.length < 2)
    problems.conditions = 'Choose at least two arms: a bench compares.';
  if (form.compares === 'checkpoints' && form.before !== '' && form.before === form.after)
    problems.after = 'Choose another profile than the first.';
  return problems;
}

export const armsOf = ({ compares, conditions }: BenchForm): readonly string[] =>
  compares === 'checkpoints' ? ['before', 'after'] : ARM_CONDITIONS.filter((one) => conditions.includes(one));

/** Every pair, the last minus the first before the others. */
export function primaryPairs(form: BenchForm): readonly { value: string; label: string }[] {
  const arms = armsOf(form);
  const pairs = arms.flatMap((first, at) =>
    arms.slice(at + 1).map((second) => ({ value: `${first}:${second}`, label: `${second} minus ${first}` })),
  );
  const usual = `${arms[0] ?? ''}:${arms.at(-1) ?? ''}`;
  return pairs.toSorted((a, b) => Number(b.value === usual) - Number(a.value === usual));
}

const optional = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Main's input for a plan; null while something is missing or wrong. */
export function planInput(form: BenchForm): Inputs['bench.plan'] | null {
  const split = form.split === '' ? form.file && { text: form.file.text } : { name: form.split };
  if (split === null || Object.keys(problemsOf(form)).length > 0) return null;
  const isCheckpoints = form.compares === 'checkpoints';
  if (isCheckpoints && (form.before === '' || form.after === '')) return null;
  const [first = '', second = ''] = (
    primaryPairs(form).find(({ value }) => value === form.primary)?.value ?? ''
  ).split(':');
  const deadline = optional(form.deadlineS);
  return {
    split,
    choice: {
      name: form.name.trim() === '' ? null : form.name.trim(),
      environment: form.environment,
      section: form.section,
      arms: chosenArms(form),
      primary: first === '' ? null : { first, second },
      seeds: optional(form.seeds) ?? (isCheckpoints ? 1 : DEFAULT_SEEDS),
      first_seed: 0,
      max_tasks: optional(form.maxTasks) ?? (isCheckpoints ? CHECKPOINT_TASKS : null),
      order_seed: Number(form.orderSeed),
      is_privileged: !isCheckpoints && form.isPrivileged,
      turns: optional(form.turns),
      asks: optional(form.asks),
      hourly_minutes: optional(form.hourlyMinutes),
      deadline_ms: deadline === null ? null : Math.round(deadline * 1000),
      fallback: deadline === null ? 'wait' : form.fallback,
    },
  };
}

function chosenArms(form: BenchForm): BenchChoice['arms'] {
  const { compares, before, after, protocol } = form;
  const checkpoint = (arm: string, profile: string): BenchChoice['arms'][number] => ({
    arm,
    condition: 'none',
    agent: { policy: 'chat', protocol, profile },
  });
  if (compares === 'checkpoints') return [checkpoint('before', before), checkpoint('after', after)];
  const agent = {
    policy: form.policy,
    protocol,
    profile: form.policy === 'chat' && form.profile !== '' ? form.profile : null,
  };
  return ARM_CONDITIONS.filter((one) => form.conditions.includes(one)).map((condition) => ({
    arm: condition,
    condition,
    agent,
  }));
}

/** The pinned split that a form begins with; null where one, or a file, is there already, or none is pinned. */
export const splitToBegin = (
  { split, file }: Pick<BenchForm, 'split' | 'file'>,
  pinned: readonly { name: string }[],
): string | null => (split === '' && file === null ? (pinned[0]?.name ?? null) : null);
