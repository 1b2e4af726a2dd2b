// The table that says which skill a kind of question goes to, and how long a person sees theirs first.
import { useState, type FormEvent, type ReactNode } from 'react';
import { QuestionKind, type Roster } from '../../../shared/experts/roster.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { QUESTION_LABELS } from './expertText.ts';
import * as styles from './SettingsView.module.css';

type ExpertRoutesProps = { roster: Roster; onSave: (roster: Roster) => Promise<void> };

export function ExpertRoutes({ roster, onSave }: ExpertRoutesProps): ReactNode {
  const [routes, setRoutes] = useState(roster.routes);
  const [seconds, setSeconds] = useState(String(roster.seat_first_s));
  const first = Number(seconds);
  const isReady =
    QuestionKind.options.every((kind) => routes[kind].trim() !== '') &&
    seconds.trim() !== '' &&
    Number.isInteger(first) &&
    first >= 0 &&
    first <= 3600;
  const save = useAct(() => onSave({ ...roster, routes, seat_first_s: first }));
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void save.run();
  };
  return (
    <form className={styles.profile} onSubmit={onSubmit} aria-label="Which question goes to whom">
      {QuestionKind.options.map((kind) => (
        <Field key={kind} label={QUESTION_LABELS[kind]}>
          <Input
            value={routes[kind]}
            maxLength={40}
            onChange={({ target }) => setRoutes((old) => ({ ...old, [kind]: target.value }))}
          />
        </Field>
      ))}
      <Field
        label="A person sees it first for (seconds)"
        help="At most half of the time a question may wait."
      >
        <Input inputMode="numeric" value={seconds} onChange={({ target }) => setSeconds(target.value)} />
      </Field>
      <div className={styles.actions}>
        <Button type="submit" isDisabled={!isReady} isBusy={save.isBusy}>
          Save table
        </Button>
      </div>
      {save.failure === null ? null : <ErrorNote title="Could not save the table" failure={save.failure} />}
    </form>
  );
}
