// Owns: what is rarely changed: repeats, seed, limits, further reset arguments.
import type { ReactNode } from 'react';
import { Field, Input, Textarea } from '../../ui/Field.tsx';
import type { Choice, Problems } from './choice.ts';
import styles from './MoreFields.module.css';

type Props = { choice: Choice; problems: Problems; onChange: (change: Partial<Choice>) => void };
type Name = 'repeats' | 'seed' | 'turns' | 'consultations' | 'minutes' | 'stallSteps' | 'deliveredChars';

const FIELDS: readonly { name: Name; label: string; placeholder: string }[] = [
  { name: 'repeats', label: 'Repeats', placeholder: '1' },
  { name: 'seed', label: 'Seed', placeholder: '0' },
  { name: 'turns', label: 'Turns at most', placeholder: '15' },
  { name: 'consultations', label: 'Asks at most', placeholder: '3' },
  { name: 'minutes', label: 'Minutes at most', placeholder: '30' },
  { name: 'stallSteps', label: 'Steps until a reminder', placeholder: '5' },
  { name: 'deliveredChars', label: 'Characters of a result the agent reads', placeholder: '24000' },
];

/** The fields under More, to be opened when one of them is wrong. */
export const MORE_FIELDS: ReadonlySet<string> = new Set([...FIELDS.map(({ name }) => name), 'reset']);

export function MoreFields({ choice, problems, onChange }: Props): ReactNode {
  return (
    <div className={styles['more']}>
      <div className={styles['grid']}>
        {FIELDS.map(({ name, label, placeholder }) => (
          <Field key={name} label={label} error={problems[name] ?? null}>
            <Input
              inputMode="numeric"
              value={choice[name]}
              placeholder={placeholder}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          </Field>
        ))}
      </div>
      <Field
        label="Further reset arguments"
        error={problems.reset ?? null}
        hint="A JSON object, sent to the environment as it is."
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
