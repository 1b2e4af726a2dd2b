// Owns: how a failure reads: what happened and why, what to do, and a detail to copy.
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import styles from './ErrorNote.module.css';

export type ErrorNoteProps = {
  /** What could not be done: "Could not start the episode". */
  title: string;
  failure: { code: string; message: string; next: string | null };
  /** Another try, or another way. */
  action?: ReactNode;
};

/** What a person pastes into a report. */
export const failureDetail = (title: string, { code, message, next }: ErrorNoteProps['failure']): string =>
  [`${title} (${code})`, message, next ?? ''].filter((line) => line !== '').join('\n');

export function ErrorNote({ title, failure, action }: ErrorNoteProps): ReactNode {
  return (
    <div className={styles['note']} role="alert">
      <CircleAlert className={styles['icon']} aria-hidden="true" />
      <div className={styles['words']}>
        <p className={styles['title']}>{title}</p>
        <p>{failure.message}</p>
        {failure.next === null ? null : <p className={styles['next']}>{failure.next}</p>}
        <div className={styles['foot']}>
          {action}
          <code className={styles['code']}>{failure.code}</code>
          <CopyButton text={() => failureDetail(title, failure)} label="Copy the detail" />
        </div>
      </div>
    </div>
  );
}
