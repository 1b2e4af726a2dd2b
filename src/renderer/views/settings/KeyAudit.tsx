// The record of what was done with keys, newest first; read when it is opened.
import { useState, type ReactNode } from 'react';
import { useAsk } from '../../state/queries.ts';
import { cx } from '../../ui/cx.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { keyNoteText } from './gatewayLabels.ts';
import * as styles from './Keys.module.css';

const BAD: ReadonlySet<string> = new Set(['wrong_key', 'wrong_scope', 'limited']);

export function KeyAudit(): ReactNode {
  const [opened, setOpened] = useState(0);
  const { value, failure } = useAsk('access.list', opened === 0 ? null : {}, { revision: opened });
  return (
    <details onToggle={({ currentTarget }) => setOpened((n) => (currentTarget.open ? n + 1 : 0))}>
      <summary>Usage log</summary>
      {failure === null ? null : <ErrorNote title="Could not load it" failure={failure} />}
      {value === null ? null : (
        <>
          <ul className={styles.notes} aria-label="Usage log" tabIndex={0}>
            {value.notes.map((note) => (
              <li
                key={`${String(note.at)} ${note.key ?? ''} ${note.what} ${note.door ?? ''}`}
                className={styles.note}
              >
                <span className={cx(BAD.has(note.what) && styles.bad)}>{keyNoteText(note)}</span>
                <span className={styles.quiet}>
                  <RelativeTime at={note.at} />
                </span>
              </li>
            ))}
          </ul>
          {value.notes.length === 0 ? <p className={styles.quiet}>Nothing yet.</p> : null}
          <Button size="small" tone="quiet" onClick={() => setOpened((n) => n + 1)}>
            Reload
          </Button>
        </>
      )}
    </details>
  );
}
