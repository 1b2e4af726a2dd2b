// What the agent tried before it asked: the last calls, what became of each, what failed in bold.
import { Ban, CircleCheck, CircleDashed, CircleX, PenLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Attempt, DeskItem } from '../../../shared/contract/rows.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './AdviceCard.module.css';

type Fate = NonNullable<Attempt['fate']>;

const fateOf = ({ fate, error }: Attempt): Fate => fate ?? (error === null ? 'went_through' : 'failed');

const FATE_ICONS: Readonly<Record<Fate, ReactNode>> = {
  went_through: <CircleCheck className={styles.ok} aria-label="went through" />,
  failed: <CircleX className={styles.failed} aria-label="failed" />,
  rejected: <Ban className={styles.unsent} aria-label="rejected" />,
  answered: <PenLine className={styles.unsent} aria-label="answered by a person" />,
  not_sent: <CircleDashed className={styles.unsent} aria-label="not sent" />,
};

type AskedItem = Pick<DeskItem, 'via' | 'link' | 'attempts'>;

/** Whether what was tried before the question is known: it is not where nobody knows whose question it is. */
export const isTriedKnown = ({ via, link }: Pick<AskedItem, 'via' | 'link'>): boolean =>
  via === 'loop' || (link !== null && link.by !== 'none' && link.score === 1);

/** What was tried before a question, or that nobody knows. */
export function AttemptsBefore({ asked }: { asked: AskedItem }): ReactNode {
  return isTriedKnown(asked) ? (
    <Attempts attempts={asked.attempts} />
  ) : (
    <p className={styles.quiet}>
      The asking episode is unknown. Only the question and its request are available.
    </p>
  );
}

export function Attempts({ attempts }: { attempts: readonly Attempt[] }): ReactNode {
  if (attempts.length === 0) return <p className={styles.quiet}>It asked before trying anything.</p>;
  return (
    <ol className={styles.attempts}>
      {attempts.map((attempt) => {
        const { turn, tool_name: tool, arguments: args, error } = attempt;
        const changes = differences(attempt);
        return (
          <li key={turn} className={styles.attempt}>
            {FATE_ICONS[fateOf(attempt)]}
            <div>
              <code className={styles.call}>
                <b>
                  <VisibleText text={tool} />
                </b>{' '}
                <VisibleText text={args} />
              </code>
              {changes === '' ? null : <p className={styles.fate}>{changes}</p>}
              {error === null ? null : <ErrorText text={error} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** What sets a line apart from a call that the agent made and the environment answered. */
function differences(attempt: Attempt): string {
  const { by, is_discarded: isDiscarded = false, reason = null } = attempt;
  const why = reason === null || reason === '' ? '' : `: ${reason}`;
  const fates: Partial<Record<Fate, string>> = {
    rejected: `Rejected by a person, not sent${why}`,
    answered: 'Not sent: a person wrote the result',
    not_sent: `Not sent${why}`,
  };
  const who = by === 'human' ? `A person’s move${isDiscarded ? ', discarded' : ''}` : '';
  return [who, fates[fateOf(attempt)] ?? ''].filter((part) => part !== '').join('. ');
}

const FOLD = 170;

/** An error is read by its beginning; the rest of it is one press away. */
function ErrorText({ text }: { text: string }): ReactNode {
  const [isWhole, setIsWhole] = useState(text.length <= FOLD);
  return (
    <p className={styles.error}>
      <VisibleText text={isWhole ? text : `${text.slice(0, FOLD)}… `} />
      {isWhole ? null : (
        <button type="button" className={styles.unfold} onClick={() => setIsWhole(true)}>
          show all of it
        </button>
      )}
    </p>
  );
}

/** `What it tried: the last 3 calls, 1 failed, 1 not sent`. */
export function triedText(attempts: readonly Attempt[]): string {
  if (attempts.length === 0) return 'What it tried: nothing';
  const last = attempts.length === 1 ? 'its last call' : `the last ${String(attempts.length)} calls`;
  const count = (fits: (fate: Fate) => boolean): number =>
    attempts.filter((attempt) => fits(fateOf(attempt))).length;
  const failed = count((fate) => fate === 'failed');
  const unsent = count((fate) => fate !== 'failed' && fate !== 'went_through');
  const more = unsent === 0 ? '' : `, ${String(unsent)} not sent`;
  return `What it tried: ${last}, ${failed === 0 ? 'none' : String(failed)} failed${more}`;
}
