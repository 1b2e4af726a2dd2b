// Options of a start besides its task and who acts: who may advise, how often, limits, approvals, reset arguments.
import type { ReactNode } from 'react';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import { type BudgetFields, budgetOf } from '../../../shared/contract/budgets.ts';
import { limitText } from '../../../shared/episode/phase.ts';
import { BudgetName, type Fallback } from '../../../shared/events/lifecycle.ts';
import { VERIFIER_LABELS } from '../../parts/verifierLabels.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { RulesEditor } from '../../parts/call/RulesEditor.tsx';
import { useAsk } from '../../state/queries.ts';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import {
  CONDITIONS,
  fallbacksOf,
  FOR_AGENTS,
  isHuman,
  type StartChoice,
  type StartProblems,
} from './choice.ts';
import * as styles from './Options.module.css';

type Props = {
  choice: StartChoice;
  problems: StartProblems;
  onChange: (change: Partial<StartChoice>) => void;
};
type MoreField =
  'seed' | 'turns' | 'consultations' | 'minutes' | 'stallSteps' | 'deliveredChars' | 'maxTokens' | 'maxCost';

const FIELDS: readonly { name: MoreField; label: string; placeholder: string }[] = [
  { name: 'seed', label: 'Seed', placeholder: '0' },
  { name: 'turns', label: 'Maximum turns', placeholder: '15' },
  { name: 'consultations', label: 'Maximum questions', placeholder: '3' },
  { name: 'minutes', label: 'Maximum minutes', placeholder: '30' },
  { name: 'stallSteps', label: 'Steps before a reminder', placeholder: '5' },
  { name: 'deliveredChars', label: 'Characters per result the agent reads', placeholder: '24000' },
  { name: 'maxTokens', label: 'Maximum tokens', placeholder: 'No limit' },
  { name: 'maxCost', label: 'Maximum cost', placeholder: 'No limit' },
];

type AdmissionField = 'sharePercent' | 'capacity' | 'hourlyMinutes';

const ADMISSION_FIELDS: readonly {
  name: AdmissionField;
  label: string;
  placeholder: string;
  hint: string;
}[] = [
  {
    name: 'sharePercent',
    label: 'Share of questions that go to people, in %',
    placeholder: '100',
    hint: 'Sampled per question and recorded. The others continue at once, with the draft where that is the fallback.',
  },
  {
    name: 'capacity',
    label: 'Maximum waiting questions per seat on duty',
    placeholder: 'No limit',
    hint: 'Questions beyond it continue at once.',
  },
  {
    name: 'hourlyMinutes',
    label: 'People’s minutes per hour',
    placeholder: 'No limit',
    hint: 'Once used up, questions continue at once until time frees up.',
  },
];

const FALLBACK_LABELS: Readonly<Record<Fallback, string>> = {
  wait: 'The agent waits as long as it takes',
  draft: 'The draft is sent unchanged',
  proceed: 'The agent continues without advice',
};

/** Options: how often, who may advise, within which limits, and what people see of it. */
export function Options({ choice, problems, onChange }: Props): ReactNode {
  const isPlayed = choice.policy === 'human';
  const { placeholders, together } = useBudgets(choice.policy === 'chat');
  const fields = isPlayed ? FIELDS.filter(({ name }) => !Object.hasOwn(FOR_AGENTS, name)) : FIELDS;
  return (
    <div className={styles.options}>
      <div className={styles.grid}>
        <Field label="Repeats" hint="1 unless set." error={problems.repeats ?? null}>
          <Input
            inputMode="numeric"
            value={choice.repeats}
            onChange={({ target }) => onChange({ repeats: target.value })}
          />
        </Field>
        {isPlayed ? null : <AdviceFields choice={choice} problems={problems} onChange={onChange} />}
      </div>
      <div className={styles.grid}>
        {fields.map(({ name, label, placeholder }) => (
          <Field key={name} label={label} error={problems[name] ?? null}>
            <Input
              inputMode="numeric"
              value={choice[name]}
              placeholder={placeholders[name] ?? placeholder}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          </Field>
        ))}
      </div>
      {together === null ? null : <p className="quiet">Limits of what is started together: {together}.</p>}
      {!isPlayed && isHuman(choice.condition) ? (
        <AdmissionFields choice={choice} problems={problems} onChange={onChange} />
      ) : null}
      {isPlayed ? null : <ConfidenceFields choice={choice} problems={problems} onChange={onChange} />}
      {isPlayed ? null : <ApprovalFields choice={choice} problems={problems} onChange={onChange} />}
      <SeatFields choice={choice} onChange={onChange} />
      <VerifiedBy choice={choice} onChange={onChange} />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={choice.keepsSession}
          onChange={({ target }) => onChange({ keepsSession: target.checked })}
        />
        Keep the server’s session folder, so that its final state can be read if the server runs on this
        machine. The folder stays until someone deletes it.
      </label>
      <Field
        label="Further reset arguments"
        error={problems.reset ?? null}
        hint="A JSON object, sent to the environment unchanged."
      >
        <Textarea
          isMono
          rows={2}
          value={choice.reset}
          onChange={({ target }) => onChange({ reset: target.value })}
        />
      </Field>
    </div>
  );
}

/** Fields of advisors, of the fallback when nobody answers in time, and of the agent's call style. */
function AdviceFields({ choice, problems, onChange }: Props): ReactNode {
  const { condition, fallback } = choice;
  return (
    <>
      <Field label="Who may advise" hint={CONDITIONS.find(({ value }) => value === condition)?.means}>
        <Select
          value={condition}
          options={CONDITIONS.map(({ value, label }) => ({ value, label }))}
          onChoose={(chosen) =>
            onChange({
              condition: chosen,
              fallback: fallbacksOf(chosen).includes(fallback) ? fallback : 'wait',
            })
          }
        />
      </Field>
      {isHuman(condition) ? (
        <Field label="If no one answers">
          <Select
            value={fallback}
            options={fallbacksOf(condition).map((value) => ({ value, label: FALLBACK_LABELS[value] }))}
            onChoose={(chosen) => onChange({ fallback: chosen })}
          />
        </Field>
      ) : null}
      {isHuman(condition) && fallback !== 'wait' ? (
        <Field label="After, seconds" error={problems.deadlineS ?? null}>
          <Input
            inputMode="numeric"
            value={choice.deadlineS}
            onChange={({ target }) => onChange({ deadlineS: target.value })}
          />
        </Field>
      ) : null}
      <Field label="How it calls tools">
        <Select
          value={choice.protocol}
          options={[
            { value: 'native', label: 'Native tool calls' },
            { value: 'xml', label: '<tool_call> in the text' },
          ]}
          onChoose={(protocol) => onChange({ protocol })}
        />
      </Field>
    </>
  );
}

/** The built-in worlds have one verifier; of other servers this one run may be verified another way. */
function VerifiedBy({ choice, onChange }: Omit<Props, 'problems'>): ReactNode {
  const id = choice.environment;
  const { value } = useAsk('environment.read', id === BUILT_IN || id === '' ? null : { id });
  if (value === null) return null;
  const known = value.verifier;
  const from = known.own === null ? 'under Agent World Model' : 'for this environment';
  return (
    <Field
      label="Verified by"
      hint={`For servers with AWM’s verifiers. A choice here stands over what is set ${from}.`}
    >
      <Select
        value={choice.verifierMode}
        options={[
          { value: 'usual', label: `As set ${from}: ${VERIFIER_LABELS[known.own ?? known.usual]}` },
          { value: 'code', label: VERIFIER_LABELS.code },
          { value: 'sql', label: VERIFIER_LABELS.sql },
        ]}
        onChoose={(verifierMode) => onChange({ verifierMode })}
      />
    </Field>
  );
}
/** Limits for experts' seats; the owner's own seat sees all of the run in any case. */
function SeatFields({ choice, onChange }: Omit<Props, 'problems'>): ReactNode {
  return (
    <div className="stack-2" role="group" aria-label="What experts see">
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={choice.isBlinded}
          onChange={({ target }) => onChange({ isBlinded: target.checked })}
        />
        Blinded: experts do not see the reward, the verdict or how advice was used
      </label>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={choice.isKeyOpen}
          onChange={({ target }) => onChange({ isKeyOpen: target.checked })}
        />
        Experts may open the answer key; their advice is marked if they do
      </label>
      <Field
        label="Try drafts"
        hint="What the calls of a draft or a held call return on a throw-away session, shown before anyone decides."
      >
        <Select value={choice.effect} options={EFFECT_CHOICES} onChoose={(effect) => onChange({ effect })} />
      </Field>
    </div>
  );
}

const EFFECT_CHOICES = [
  { value: 'shown', label: 'Shown' },
  { value: 'not_shown', label: 'Not shown' },
] as const;

const FALLBACK_CHOICES = [
  { value: 'wait', label: 'Keep waiting' },
  { value: 'reject', label: 'Do not execute the call' },
  { value: 'approve', label: 'Execute the call' },
] as const;

/** Fields of calls that need a person, and the fallback after the deadline. */
function ApprovalFields({ choice, problems, onChange }: Props): ReactNode {
  return (
    <>
      <RulesEditor rules={choice.rules} toolNames={[]} onChange={(rules) => onChange({ rules })} />
      {choice.rules.length === 0 ? null : (
        <div className={styles.grid}>
          <Field label="If no one decides">
            <Select
              value={choice.approvalFallback}
              options={FALLBACK_CHOICES}
              onChoose={(approvalFallback) => onChange({ approvalFallback })}
            />
          </Field>
          {choice.approvalFallback === 'wait' ? null : (
            <Field
              label="after"
              hint="Such as 50 seconds, 2 hours or 3 days."
              error={problems.approvalAfter ?? null}
            >
              <Input
                value={choice.approvalAfter}
                onChange={({ target }) => onChange({ approvalAfter: target.value })}
              />
            </Field>
          )}
        </div>
      )}
      {choice.rules.length > 0 && choice.approvalFallback === 'approve' ? (
        <p>
          <ExecutesUndecided />
        </p>
      ) : null}
    </>
  );
}

type BudgetHints = {
  /** By field of the start. */
  placeholders: Partial<Record<keyof StartChoice, string>>;
  /** What all episodes of a start may take together; null for no limit. */
  together: string | null;
};

const NO_HINTS: BudgetHints = { placeholders: {}, together: null };

/** The budgets of the settings, as the fields of a start show them where nothing is entered. */
function useBudgets(isChat: boolean): BudgetHints {
  const value = useAsk('settings.read', {}).value?.budgets ?? null;
  if (value === null) return NO_HINTS;
  // Without a chat model nothing is spent that these two could limit.
  const applied = (fields: BudgetFields): BudgetFields =>
    isChat ? fields : { ...fields, tokens: null, cost: null };
  const { turns, minutes, tokens, cost } = applied(value.per_episode);
  const run = budgetOf(applied(value.per_run));
  const limits = BudgetName.options.flatMap((name) => {
    const amount = run[name];
    return amount === undefined ? [] : limitText({ name, of: 'run', value: amount, from: 'settings' });
  });
  const hint = (amount: number | null): string | undefined =>
    amount === null ? undefined : `${amount.toLocaleString('en')}, from Setup`;
  return {
    placeholders: Object.fromEntries(
      Object.entries({
        turns: hint(turns),
        minutes: hint(minutes),
        maxTokens: hint(tokens),
        maxCost: hint(cost),
      }).filter(([, text]) => text !== undefined),
    ),
    together: limits.length === 0 ? null : limits.join('; '),
  };
}

/** Limits on asks to a person, with the meaning of each. */
function AdmissionFields({ choice, problems, onChange }: Props): ReactNode {
  return (
    <div className={styles.grid} role="group" aria-label="Which questions go to a person">
      {ADMISSION_FIELDS.map(({ name, label, placeholder, hint }) => (
        <Field key={name} label={label} error={problems[name] ?? null} hint={hint}>
          <Input
            inputMode="numeric"
            value={choice[name]}
            placeholder={placeholder}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        </Field>
      ))}
    </div>
  );
}

const CHOICES: readonly { value: StartChoice['confidence']; label: string }[] = [
  { value: 'off', label: 'Do not ask' },
  { value: 'record', label: 'Record it' },
  { value: 'desk', label: 'Hold unsure calls for the desk' },
  { value: 'advisor', label: 'Ask the advisor about unsure calls' },
];

/** Fields of the agent's stated confidence in each move, and of the treatment of unsure calls. */
function ConfidenceFields({ choice, problems, onChange }: Props): ReactNode {
  const { confidence, confidencePercent } = choice;
  const hasLimit = confidence === 'desk' || confidence === 'advisor';
  return (
    <>
      <Field label="How sure the agent is" error={problems.confidence ?? null}>
        <Select
          value={confidence}
          options={CHOICES}
          onChoose={(chosen) => onChange({ confidence: chosen })}
        />
      </Field>
      {hasLimit ? (
        <Field label="Unsure below, in percent" error={problems.confidencePercent ?? null}>
          <Input
            inputMode="numeric"
            value={confidencePercent}
            onChange={({ target }) => onChange({ confidencePercent: target.value })}
          />
        </Field>
      ) : null}
    </>
  );
}
