// Owns: what the agent tried before it asked: the last calls, what failed in bold.
import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
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
            {error === null ? null : <p className={styles['error']}>{error}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
