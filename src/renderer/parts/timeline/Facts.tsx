// Small facts beside a text, and what is kept folded until asked for.
import type { ReactNode } from 'react';
import * as styles from './Details.module.css';

/** Names and values on a line; those that are not recorded are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (known.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type FoldedProps = { label: string; children: ReactNode; onToggle?: (isOpen: boolean) => void };

export function Folded({ label, children, onToggle }: FoldedProps): ReactNode {
  return (
    <details
      className={styles.folded}
      onToggle={({ currentTarget, target }) =>
        target === currentTarget ? onToggle?.(currentTarget.open) : undefined
      }
    >
      <summary>{label}</summary>
      {children}
    </details>
  );
}
