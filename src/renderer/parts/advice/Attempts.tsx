// Owns: what the agent tried before it asked: the last calls, what failed in bold.
import { CircleCheck, CircleX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Attempt } from '../../../shared/contract/rows.ts';
import styles from './AdviceCard.module.css';

export function Attempts({ attempts }: { attempts: readonly Attempt[] }): ReactNode {
  if (attempts.length === 0) return <p className={styles['quiet']}>It asked before trying anything.</p>;
  return (
    <ol className={styles['attempts']}>
      {attempts.map(({ turn, tool_name: tool, arguments: args, error }) => (
        <li key={turn} className={styles['attempt']}>
          {error === null ? (
            <CircleCheck className={styles['ok']} aria-label="went through" />
          ) : (
            <CircleX className={styles['failed']} aria-label="failed" />
          )}
          <div>
            <code className={styles['call']}>
              <b>{tool}</b> {args}
            </code>
            {error === null ? null : <ErrorText text={error} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

const FOLD = 170;

/** An error is read by its beginning; the rest of it is one press away. */
function ErrorText({ text }: { text: string }): ReactNode {
  const [isWhole, setIsWhole] = useState(text.length <= FOLD);
  return (
    <p className={styles['error']}>
      {isWhole ? text : `${text.slice(0, FOLD)}… `}
      {isWhole ? null : (
        <button type="button" className={styles['unfold']} onClick={() => setIsWhole(true)}>
          show all of it
        </button>
      )}
    </p>
  );
}
