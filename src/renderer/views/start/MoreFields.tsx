// Owns: what is rarely changed: repeats, seed, limits, further reset arguments.
import type { ReactNode } from 'react';
import { RulesEditor } from '../../parts/call/RulesEditor.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import { ADMISSION_FIELDS, AdmissionFields } from './AdmissionFields.tsx';
import { isHuman, type Choice, type Problems } from './choice.ts';
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
export const MORE_FIELDS: ReadonlySet<string> = new Set([
  ...ADMISSION_FIELDS,
  ...FIELDS.map(({ name }) => name),
  'reset',
  'rules',
  'approvalS',
]);

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
      {isHuman(choice.condition) ? (
        <AdmissionFields choice={choice} problems={problems} onChange={onChange} />
      ) : null}
      <ApprovalFields choice={choice} problems={problems} onChange={onChange} />
      <SeatFields choice={choice} onChange={onChange} />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={choice.keepsSession}
          onChange={({ target }) => onChange({ keepsSession: target.checked })}
        />
        Keep the server’s session folder: where the server runs on this machine, its state can be read at the
        end. The folder stays until someone deletes it.
      </label>
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

/** What experts' seats may see of the run; the owner's own seat sees all of it in any case. */
function SeatFields({ choice, onChange }: Omit<Props, 'problems'>): ReactNode {
  return (
    <div className={styles['seats']} role="group" aria-label="What experts’ seats see">
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={choice.isBlinded}
          onChange={({ target }) => onChange({ isBlinded: target.checked })}
        />
        Blinded: experts’ seats are shown neither reward, verdict nor what was followed
      </label>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={choice.isKeyOpen}
          onChange={({ target }) => onChange({ isKeyOpen: target.checked })}
        />
        Experts may look at the answer key; their advice is marked then
      </label>
    </div>
  );
}

const FALLBACKS = [
  { value: 'wait', label: 'Keep waiting' },
  { value: 'approve', label: 'Let the call through' },
  { value: 'reject', label: 'Reject the call' },
] as const;

/** Which calls need a person, and what happens when nobody decides in time. */
function ApprovalFields({ choice, problems, onChange }: Props): ReactNode {
  return (
    <>
      <RulesEditor rules={choice.rules} toolNames={[]} onChange={(rules) => onChange({ rules })} />
      {choice.rules.length === 0 ? null : (
        <div className={styles['grid']}>
          <Field label="When nobody decides">
            <Select
              value={choice.approvalFallback}
              options={FALLBACKS}
              onChoose={(approvalFallback) => onChange({ approvalFallback })}
            />
          </Field>
          {choice.approvalFallback === 'wait' ? null : (
            <Field label="after, in seconds" error={problems.approvalS ?? null}>
              <Input
                inputMode="numeric"
                value={choice.approvalS}
                onChange={({ target }) => onChange({ approvalS: target.value })}
              />
            </Field>
          )}
        </div>
      )}
    </>
  );
}
