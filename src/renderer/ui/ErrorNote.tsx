// A failure on screen: what happened and why, what to do, and a detail to copy.
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import * as styles from './ErrorNote.module.css';

type ErrorNoteProps = {
  /** What could not be done: "Could not start the episode". */
  title: string;
  failure: { code: string; message: string; next: string | null };
  /** Tries it once more. */
  again?: () => void;
  /** Another way. */
  action?: ReactNode;
};

/** The text that a person pastes into a report. */
export const failureDetail = (title: string, { code, message, next }: ErrorNoteProps['failure']): string =>
  [`${title} (${code})`, message, next ?? ''].filter((line) => line !== '').join('\n');

/** The words as a sentence of their own. A first word that is a name or a path stays as it is. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const isWord = /^[a-z]+(['’][a-z]+)?(?=[\s,;]|:(?!\/)|$)/.test(trimmed);
  const head = isWord ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?:…)\]}"'`]$/.test(head) || head === '' ? head : `${head}.`;
}

/** Someone was first, or things have moved on: the words say all there is. */
const EXPECTED: ReadonlySet<string> = new Set(['already_answered', 'stale', 'closed']);

export function ErrorNote({ title, failure, again, action }: ErrorNoteProps): ReactNode {
  return (
    <div className={styles.note} role="alert">
      <CircleAlert className={styles.icon} aria-hidden="true" />
      <div className="stack-1 shrinks breaks grows">
        <p className="strong">{title}</p>
        <p>{asSentence(failure.message)}</p>
        {failure.next === null ? null : <p className="soft">{asSentence(failure.next)}</p>}
        <div className={styles.foot}>
          {again === undefined ? null : (
            <Button size="small" onClick={again}>
              Try again
            </Button>
          )}
          {action}
          {EXPECTED.has(failure.code) ? null : <code className="soft">{failure.code}</code>}
          <CopyButton text={() => failureDetail(title, failure)} label="Copy the detail" />
        </div>
      </div>
    </div>
  );
}
