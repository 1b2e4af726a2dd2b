// Choosing who may advise, with what each choice means, and what happens when nobody answers in time.
import type { ReactNode } from 'react';
import type { Condition, Fallback } from '../../../shared/events/lifecycle.ts';
import { cx } from '../../ui/cx.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { fallbacksOf, isHuman, type StartChoice, type StartProblems } from './choice.ts';
import * as styles from './ConditionPicker.module.css';

const CONDITIONS: readonly { value: Condition; label: string; means: string }[] = [
  {
    value: 'human+draft',
    label: 'Human with a draft',
    means: 'The advisor drafts; you accept, edit or decline.',
  },
  { value: 'human', label: 'Human', means: 'You answer each question yourself, without drafts.' },
  { value: 'model', label: 'Model', means: 'The advisor answers at once; no one is asked.' },
  { value: 'none', label: 'No expert', means: 'The agent works alone: the baseline.' },
];

const FALLBACK_HINTS: Readonly<Record<Fallback, string>> = {
  wait: 'The agent waits as long as it takes',
  draft: 'The draft is sent unchanged',
  proceed: 'The agent continues without advice',
};

type Props = {
  choice: StartChoice;
  problems: StartProblems;
  onChange: (change: Partial<StartChoice>) => void;
};

export function ConditionPicker({ choice, problems, onChange }: Props): ReactNode {
  const choose = (condition: Condition): void =>
    onChange({
      condition,
      fallback: fallbacksOf(condition).includes(choice.fallback) ? choice.fallback : 'wait',
    });
  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>Who may advise</legend>
      {CONDITIONS.map(({ value, label, means }) => (
        <label key={value} className={cx(styles.card, value === choice.condition && styles.isChosen)}>
          <input
            type="radio"
            name="condition"
            value={value}
            checked={value === choice.condition}
            onChange={() => choose(value)}
          />
          <span>
            <span className={styles.label}>{label}</span>
            <span className={styles.means}>{means}</span>
          </span>
        </label>
      ))}
      {isHuman(choice.condition) ? (
        <div className={styles.deadline}>
          <Field label="If no one answers">
            <Select
              value={choice.fallback}
              options={fallbacksOf(choice.condition).map((value) => ({
                value,
                label: FALLBACK_HINTS[value],
              }))}
              onChoose={(fallback) => onChange({ fallback })}
            />
          </Field>
          {choice.fallback === 'wait' ? null : (
            <Field label="After, seconds" error={problems.deadlineS ?? null}>
              <Input
                inputMode="numeric"
                value={choice.deadlineS}
                onChange={({ target }) => onChange({ deadlineS: target.value })}
              />
            </Field>
          )}
        </div>
      ) : null}
    </fieldset>
  );
}
