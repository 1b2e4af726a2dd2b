// Draws a chord of the key table.
import { createContext, useContext, type ReactNode } from 'react';
import { cx } from './cx.ts';
import * as styles from './Kbd.module.css';

const KEY_NAMES: Readonly<Record<string, string>> = {
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
    .map((key) => (key === 'mod' ? (onMac ? '⌘' : 'Ctrl') : (KEY_NAMES[key] ?? key)));

/** Turns the name of a key into the chord it has now; a chord stays as it is. */
export const ChordReading = createContext<(chordOrName: string) => string>((chord) => chord);

/** The chord as plain words, for a text: `Ctrl K`. Empty when the key was taken away. */
export function useChordText(chordOrName: string): string {
  const read = useContext(ChordReading);
  return chordKeys(read(chordOrName), isMac()).join(' ').trim();
}

/** Keys to press, one box each; of a chord, or of a key by its name. */
export function Kbd({ chord, isOnFill = false }: { chord: string; isOnFill?: boolean }): ReactNode {
  const known = useContext(ChordReading)(chord);
  if (known === '') return null;
  const keys = chordKeys(known, isMac());
  return (
    <span className={cx(styles.chord, isOnFill && styles.onFill)}>
      {keys.map((key, index) => (
        // A chord may hold the same key twice (`g g`); its place is what tells them apart.
        <kbd key={`${key}${String(index)}`} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
