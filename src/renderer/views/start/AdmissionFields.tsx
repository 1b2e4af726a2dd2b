// Owns: which asks come before a person, with what each limit means.
import type { ReactNode } from 'react';
import { Field, Input } from '../../ui/Field.tsx';
import type { Choice, Problems } from './choice.ts';
import styles from './MoreFields.module.css';

type Props = { choice: Choice; problems: Problems; onChange: (change: Partial<Choice>) => void };
type Name = 'sharePercent' | 'capacity' | 'hourlyMinutes';

const FIELDS: readonly { name: Name; label: string; placeholder: string; hint: string }[] = [
  {
    name: 'sharePercent',
    label: 'Share of asks that come before people, in %',
    placeholder: '100',
    hint: 'Drawn for each ask, and the draw is recorded. The others go on at once, with the draft where that is the fallback.',
  },
  {
    name: 'capacity',
    label: 'Questions waiting at most, per seat on duty',
    placeholder: 'No limit',
    hint: 'An ask beyond it goes on at once.',
  },
  {
    name: 'hourlyMinutes',
    label: 'People’s minutes per hour',
    placeholder: 'No limit',
    hint: 'Once they are used up, asks go on at once until some of the hour has passed.',
  },
];

/** The fields, to be opened when one of them is wrong. */
export const ADMISSION_FIELDS: readonly string[] = FIELDS.map(({ name }) => name);

export function AdmissionFields({ choice, problems, onChange }: Props): ReactNode {
  return (
    <div className={styles['grid']} role="group" aria-label="Which asks come before a person">
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
