// The agent's attempts before it asked: each step one sentence, with what became of it in words. The call and the
// answer as they were are one press away.
import { Ban, CircleCheck, CircleDashed, CircleQuestionMark, CircleX, PenLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Attempt, DeskItem } from '../../../shared/episode/rowShapes.ts';
import { type AttemptFate, attemptSentence, fateOfAttempt } from '../../../shared/sentences/errorInWords.ts';
import { useNameOf } from '../plan/Names.tsx';
import { StepSentence } from '../plan/StepSentence.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './AdviceCard.module.css';
import type { KnownTool } from './planCheck.ts';

const FATE_ICONS: Readonly<Record<AttemptFate, ReactNode>> = {
  went_through: <CircleCheck className={styles.ok} aria-label="went through" />,
  failed: <CircleX className={styles.failed} aria-label="failed" />,
  rejected: <Ban className={styles.unsent} aria-label="rejected" />,
  answered: <PenLine className={styles.unsent} aria-label="answered by a person" />,
  not_sent: <CircleDashed className={styles.unsent} aria-label="not sent" />,
  unknown: <CircleQuestionMark className={styles.unsent} aria-label="answer lost" />,
};

type AskedItem = Pick<DeskItem, 'via' | 'link' | 'attempts'>;

/** True if the attempts before the question are known: not so where nobody knows whose question it is. */
export const isTriedKnown = ({ via, link }: Pick<AskedItem, 'via' | 'link'>): boolean =>
  via === 'loop' || (link !== null && link.by !== 'none');

/** Attempts before a question, or the note that nobody knows. */
export function AttemptsBefore({
  asked,
  tools = [],
}: {
  asked: AskedItem;
  tools?: readonly KnownTool[];
}): ReactNode {
  return isTriedKnown(asked) ? (
    <Attempts attempts={asked.attempts} tools={tools} />
  ) : (
    <p className={styles.quiet}>
      The asking episode is unknown. Only the question and its request are available.
    </p>
  );
}

type AttemptsProps = { attempts: readonly Attempt[]; tools?: readonly KnownTool[] };

export function Attempts({ attempts, tools = [] }: AttemptsProps): ReactNode {
  const nameOf = useNameOf();
  if (attempts.length === 0) return <p className={styles.quiet}>It asked before trying anything.</p>;
  return (
    <ol className="stack-1">
      {attempts.map((attempt) => {
        const { call, fate, fateText, error } = attemptSentence(attempt, tools, nameOf);
        return (
          <li key={attempt.turn} className={styles.attempt}>
            {FATE_ICONS[fate]}
            <div>
              <StepSentence sentence={call} chips={null} />
              {fateText === null ? null : (
                <p className="soft small breaks">
                  <VisibleText text={fateText} />
                </p>
              )}
              {error === null ? null : (
                <p className={styles.error}>
                  <VisibleText text={error.sentence} />
                </p>
              )}
              <RawAttempt attempt={attempt} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The call and the answer as they were, where there is more to see than the sentence says. */
function RawAttempt({ attempt }: { attempt: Attempt }): ReactNode {
  const { tool_name: tool, arguments: args, error } = attempt;
  return (
    <details className={styles.raw}>
      <summary>{error === null ? 'The call as it was' : 'The call and the answer as they were'}</summary>
      <code className={styles.call}>
        <VisibleText text={`${tool} ${args}`} />
      </code>
      {error === null ? null : <LongError text={error} />}
    </details>
  );
}

const FOLD = 170;

/** An answer is read by its beginning; the rest of it is one press away. */
function LongError({ text }: { text: string }): ReactNode {
  const [isWhole, setIsWhole] = useState(text.length <= FOLD);
  return (
    <p className={styles.answered}>
      <VisibleText text={isWhole ? text : `${text.slice(0, FOLD)}… `} />
      {isWhole ? null : (
        <button type="button" className={styles.unfold} onClick={() => setIsWhole(true)}>
          show all of it
        </button>
      )}
    </p>
  );
}

/** `What it tried: the last 3 calls, 1 failed, 1 not sent`, where it tried anything. */
export function triedText(attempts: readonly Attempt[]): string {
  const last = attempts.length === 1 ? 'its last call' : `the last ${String(attempts.length)} calls`;
  const count = (fits: (fate: AttemptFate) => boolean): number =>
    attempts.filter((attempt) => fits(fateOfAttempt(attempt))).length;
  const failed = count((fate) => fate === 'failed');
  const unsent = count((fate) => fate !== 'failed' && fate !== 'went_through');
  const more = unsent === 0 ? '' : `, ${String(unsent)} not sent`;
  return `What it tried: ${last}, ${failed === 0 ? 'none' : String(failed)} failed${more}`;
}
