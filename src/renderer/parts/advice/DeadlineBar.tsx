// How long a question waits, and the bar that drains towards what happens then.
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useNow } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import { deadlineOf } from './deadline.ts';
import * as styles from './DeadlineBar.module.css';

export function DeadlineBar({ item }: { item: DeskItem }): ReactNode {
  const now = useNow();
  const { left, isUrgent, words } = deadlineOf(item, item.draft !== null, now);
  return (
    <div className={styles.deadline}>
      <p className={styles.words}>
        <strong className={styles.age} title={formatMoment(item.asked_at)}>
          Waiting {formatDuration(Math.max(1000, now - item.asked_at))}
        </strong>
        <span className={cx(isUrgent && styles.isUrgent)}>{words}</span>
      </p>
      {left === null ? null : (
        <progress
          className={cx(styles.bar, isUrgent && styles.isUrgentBar)}
          value={left}
          max={1}
          aria-label="Time left"
        />
      )}
    </div>
  );
}

/** The thin bar alone, for a line of the list. */
export function DeadlineLine({ item }: { item: DeskItem }): ReactNode {
  const now = useNow();
  const { left, isUrgent } = deadlineOf(item, item.draft !== null, now);
  if (left === null) return null;
  return (
    <progress
      className={cx(styles.bar, styles.thin, isUrgent && styles.isUrgentBar)}
      value={left}
      max={1}
      aria-hidden="true"
    />
  );
}
