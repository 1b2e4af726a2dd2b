// A few buttons in one frame, of which one is chosen.
import type { ReactNode } from 'react';
import * as styles from './Segments.module.css';

type SegmentsProps<V extends string> = {
  /** Says to a screen reader what is chosen here. */
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChoose: (value: V) => void;
};

export function Segments<V extends string>({ label, options, value, onChoose }: SegmentsProps<V>): ReactNode {
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.segment}
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
