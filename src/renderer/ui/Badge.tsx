// Small marks: a label with a tone, a count, a dot with its words.
import type { ReactNode } from 'react';
import * as styles from './Badge.module.css';
import { cx, variantClass } from './cx.ts';

export type Tone =
  | 'plain'
  | 'accent'
  | 'ok'
  | 'error'
  | 'waiting'
  | 'partly'
  | 'agent'
  | 'environment'
  | 'model'
  | 'human'
  | 'verifier'
  | 'system'
  | 'scripted';

/** A word or two on a soft ground. */
export function Badge({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <span className={cx(styles.badge, variantClass(styles, tone))}>
      {icon}
      {children}
    </span>
  );
}

/** A number that asks for attention; nothing at zero. `label` says what is counted. */
export function Count({ count, label }: { count: number; label: string }): ReactNode {
  if (count === 0) return null;
  return (
    <span className={styles.count} aria-label={`${String(count)} ${label}`}>
      {count > 999 ? '999+' : count}
    </span>
  );
}

export type DotTone = 'idle' | 'running' | 'waiting' | 'ok' | 'error';

/** A dot that always has its words beside it or, with `isQuiet`, for assistive technology only. */
export function StatusDot({
  tone,
  label,
  isQuiet = false,
}: {
  tone: DotTone;
  label: string;
  isQuiet?: boolean;
}): ReactNode {
  return (
    <span className={styles.status}>
      <span className={cx(styles.dot, variantClass(styles, `dot_${tone}`))} aria-hidden="true" />
      <span className={isQuiet ? 'quiet-label' : undefined}>{label}</span>
    </span>
  );
}
