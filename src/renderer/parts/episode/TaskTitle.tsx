// A task's words and its place, as every row and card shows them.
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './TaskTitle.module.css';
import { oneLine } from './taskTitle.ts';
import { TwinMark } from './twinMarks.ts';

/**
 * One or two lines, cut at the end of reading: at the left in a text that is written from right to left. Its direction
 * is its own and never that of what stands beside it.
 */
export const TaskWords = ({ text, lines = 1 }: { text: string; lines?: 1 | 2 }): ReactNode => (
  <span dir="auto" className={cx(styles.words, lines === 2 && styles.two)} title={text}>
    <VisibleText text={text} />
  </span>
);

/** A task in a cell of a table: its words over its place, or its place alone where nobody knows them. */
export const TaskName = ({ words, place }: { words: string | null; place: string }): ReactNode =>
  words === null ? (
    <VisibleText text={place} />
  ) : (
    <span className={styles.name}>
      <TaskWords text={oneLine(words)} />
      <TaskPlace place={place} episode={null} />
    </span>
  );

/** Scenario and number in small type, and what tells this episode from others of the same task. */
export const TaskPlace = ({ place, episode }: { place: string; episode: string | null }): ReactNode => (
  <small className={styles.place} data-task-place={place}>
    <bdi>
      <VisibleText text={place} />
    </bdi>
    {episode === null ? null : (
      <span className={styles.twin}>
        <TwinMark episode={episode} />
      </span>
    )}
  </small>
);
