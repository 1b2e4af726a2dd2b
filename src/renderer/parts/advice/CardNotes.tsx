// What a card has to say: a draft that came late, a question that is closed, an act that failed.
import { Lightbulb } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FailureShape } from '../../../shared/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { DiffText } from '../text/DiffText.tsx';
import * as styles from './AdviceCard.module.css';
import type { ClosedQuestion } from './closedQuestion.ts';
import type { AdviceState } from './useAdvice.ts';

/** Never put over what was written: offered. */
export function OfferedDraft({
  advice,
  isDiff,
  onCompare,
}: {
  advice: AdviceState;
  isDiff: boolean;
  onCompare: () => void;
}): ReactNode {
  const { draft, text } = advice;
  return (
    <>
      <div className={styles.offered} role="status">
        <Lightbulb aria-hidden="true" />
        <p>A draft arrived while you were writing. Your text is unchanged.</p>
        <span className={styles.draftTools}>
          <Button size="small" onClick={advice.insert}>
            Insert below
          </Button>
          <Button size="small" onClick={advice.undo}>
            Use the draft instead
          </Button>
          <Button size="small" tone="quiet" aria-pressed={isDiff} onClick={onCompare}>
            {isDiff ? 'Hide the comparison' : 'Compare'}
          </Button>
          <Button size="small" tone="quiet" onClick={advice.ignore}>
            Ignore
          </Button>
        </span>
      </div>
      {isDiff && draft !== null ? (
        <DiffText before={draft.text} after={text} label="Draft compared with your text" />
      ) : null}
    </>
  );
}

export function ClosedNote({
  closed,
  advice,
  waiting,
  onNext,
  onLate,
}: {
  closed: ClosedQuestion;
  advice: AdviceState;
  waiting: number;
  onNext: () => void;
  /** Keeps the words as late advice; null where that is not open. */
  onLate: (() => void) | null;
}): ReactNode {
  const hasWords = advice.isEdited && !closed.isMine;
  return (
    <div className={styles.closed} role="status">
      <p>
        <strong>{closed.title}</strong>
      </p>
      <p>{closed.detail}</p>
      {hasWords ? <p>Your answer was not sent. It is kept below until you discard it.</p> : null}
      <span className={styles.draftTools}>
        {hasWords ? (
          <>
            {onLate === null ? null : (
              <Button
                size="small"
                tone="primary"
                title="Never delivered to the agent. Kept with this state and exported as question and advice"
                onClick={onLate}
              >
                Keep as late advice
              </Button>
            )}
            <CopyButton label="Copy my text" text={advice.text} hasWords />
            <Button size="small" tone="quiet" onClick={advice.undo}>
              Discard my text
            </Button>
          </>
        ) : null}
        <Button size="small" tone={waiting > 0 ? 'primary' : 'plain'} chord="desk.next" onClick={onNext}>
          {waiting > 0 ? `Next question, ${String(waiting)} waiting` : 'Back to the desk'}
        </Button>
      </span>
    </div>
  );
}

export function FailedNote({ failure }: { failure: FailureShape }): ReactNode {
  const kept = 'Your text is kept.';
  const next = failure.next === null ? kept : failure.next;
  return <ErrorNote title="Not sent" failure={{ ...failure, next }} />;
}
