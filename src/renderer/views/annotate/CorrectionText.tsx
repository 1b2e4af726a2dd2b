// How a correction reads: a move as code, words as words, and why.
import type { ReactNode } from 'react';
import type { Correct } from '../../../shared/events/annotations.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import * as styles from './Review.module.css';

export function CorrectionText({ correct, reason }: { correct: Correct; reason: string | null }): ReactNode {
  return (
    <>
      {correct.type === 'move' ? <code>{moveLine(correct.move)}</code> : correct.text}
      {reason === null ? null : <span className={styles.quiet}>{` because ${reason}`}</span>}
    </>
  );
}
