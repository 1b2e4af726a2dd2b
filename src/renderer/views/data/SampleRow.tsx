// Owns: one row of an export as it will be written, whole, folded until wanted.
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import styles from './DataView.module.css';

export type SampleRowProps = { row: string; number: number; isOpen: boolean };

/** `2.3 kB, 41 lines`. */
export function sizeText(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  const size = bytes < 1000 ? `${String(bytes)} B` : `${(bytes / 1000).toFixed(1)} kB`;
  const lines = text.split('\n').length;
  return `${size}, ${lines === 1 ? '1 line' : `${lines.toLocaleString()} lines`}`;
}

export function SampleRow({ row, number, isOpen }: SampleRowProps): ReactNode {
  return (
    <details className={styles['sample']} open={isOpen}>
      <summary className={styles['sampleHead']}>
        Row {number} <span className={styles['quiet']}>{sizeText(row)}</span>
      </summary>
      <div className={styles['sampleBody']}>
        <pre tabIndex={0}>{row}</pre>
        <span className={styles['copy']}>
          <CopyButton text={row} label="Copy the row" />
        </span>
      </div>
    </details>
  );
}
