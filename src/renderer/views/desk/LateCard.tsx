// Advice for a question that nobody answered in time: kept with its state, and never delivered.
import type { ReactNode } from 'react';
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import { failureShape } from '../../../shared/failure.ts';
import { missedReason } from '../../parts/advice/admissionText.ts';
import { AttemptsBefore } from '../../parts/advice/Attempts.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { LongText } from '../../parts/text/LongText.tsx';
import { useDeskPorts } from '../../state/deskPorts.ts';
import { useToast, useUnsentText } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './Missed.module.css';

/** Written for the state, not for the agent: it has gone on. */
export function LateCard({ ask, onDone }: { ask: MissedAsk; onDone: (isGiven: boolean) => void }): ReactNode {
  const { adviseLate } = useDeskPorts();
  const toast = useToast();
  const [unsent, setUnsent] = useUnsentText(ask.consultation);
  const time = useHumanTime(ask.consultation, true);
  const text = unsent ?? '';
  const give = (): void => {
    const { episode, consultation } = ask;
    adviseLate({ episode, consultation, text, timing: time.read() }).then(
      () => {
        setUnsent(null);
        time.end();
        toast({ tone: 'ok', title: 'Late advice kept', text: 'The agent never gets it.' });
        onDone(true);
      },
      (thrown: unknown) => toast({ tone: 'error', title: 'Not kept', text: failureShape(thrown).message }),
    );
  };
  return (
    <section className={styles.card} aria-label="Missed question">
      <p className={styles.banner} role="note">
        <strong>Never delivered.</strong> {`The agent has moved on: ${missedReason(ask)}.`} Your answer is
        kept with this state and exported as question and advice.
      </p>
      <h2 className={styles.quiet}>The agent asked</h2>
      {ask.question === null ? <p>{ask.asked_task}</p> : <LongText text={ask.question} isProse />}
      {ask.task === null ? null : (
        <>
          <h2 className={styles.quiet}>The task</h2>
          <LongText text={ask.task} isProse />
        </>
      )}
      <AttemptsBefore asked={ask} />
      <Field label="Late advice">
        <Textarea rows={8} isMono value={text} onChange={({ target }) => setUnsent(target.value)} />
      </Field>
      <p className={styles.acts}>
        <Button tone="primary" isDisabled={text.trim() === ''} onClick={give}>
          Keep as late advice
        </Button>
        <Button tone="quiet" onClick={() => onDone(false)}>
          Back to the desk
        </Button>
      </p>
    </section>
  );
}
