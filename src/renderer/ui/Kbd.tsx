// Owns: how a chord of the key table is drawn.
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Kbd.module.css';

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  shift: 'Shift',
  alt: 'Alt',
};

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of a chord as a person knows them: `mod+Enter` is Ctrl Enter, on a Mac ⌘ Enter. */
export const chordKeys = (chord: string, onMac: boolean): string[] =>
  chord
    .split(' ')
    .flatMap((part) => (part.length > 1 ? part.split('+') : [part]))
    .map((key) => (key === 'mod' ? (onMac ? '⌘' : 'Ctrl') : (NAMES[key] ?? key)));

/** Keys to press, one box each. */
export function Kbd({ chord, isOnFill = false }: { chord: string; isOnFill?: boolean }): ReactNode {
  const keys = chordKeys(chord, isMac());
  return (
    <span className={cx(styles['chord'], isOnFill && styles['onFill'])}>
      {keys.map((key, index) => (
        // A chord may hold the same key twice (`g g`); its place is what tells them apart.
        <kbd key={`${key}${String(index)}`} className={styles['key']}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
