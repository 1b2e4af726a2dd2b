// Which asks come before a person, with what each limit means.
import type { ReactNode } from 'react';
import { Field, Input } from '../../ui/Field.tsx';
import type { StartChoice, StartProblems } from './choice.ts';
import * as styles from './MoreFields.module.css';

type Props = {
  choice: StartChoice;
  problems: StartProblems;
  onChange: (change: Partial<StartChoice>) => void;
};
type AdmissionField = 'sharePercent' | 'capacity' | 'hourlyMinutes';

const FIELDS: readonly { name: AdmissionField; label: string; placeholder: string; hint: string }[] = [
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

/** The fields, to be opened when one of them is wrong. */
export const ADMISSION_FIELDS: readonly string[] = FIELDS.map(({ name }) => name);

export function AdmissionFields({ choice, problems, onChange }: Props): ReactNode {
  return (
    <div className={styles.grid} role="group" aria-label="Which questions go to a person">
      {FIELDS.map(({ name, label, placeholder, hint }) => (
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
