// The place of what is still loading, in its final size, so that nothing jumps when it comes.
import type { ReactNode } from 'react';
import * as styles from './Skeleton.module.css';

/** Grey lines; `label` says to a screen reader what is loading. */
export function Skeleton({
  rows = 3,
  height = 16,
  label,
}: {
  rows?: number;
  height?: number;
  label: string;
}): ReactNode {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <span
          key={index}
          className={styles.row}
          style={{ height, width: `${String(92 - ((index * 17) % 40))}%` }}
        />
      ))}
    </div>
  );
}
