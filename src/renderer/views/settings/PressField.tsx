// Hearing which key a person presses, instead of doing what that key does. Two plain keys in a row are one chord.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { chordOf } from '../../state/keyboard.ts';
import * as styles from './KeySettings.module.css';

/** How long a second key of a chord may take. */
const SECOND_MS = 700;

type Props = { label: string; onChord: (chord: string) => void; onCancel: () => void };

export function PressField({ label, onChord, onCancel }: Props): ReactNode {
  const field = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const [first, setFirst] = useState<string | null>(null);
  useEffect(() => {
    field.current?.focus();
    return () => clearTimeout(timer.current ?? undefined);
  }, []);
  const end = (chord: string): void => {
    clearTimeout(timer.current ?? undefined);
    timer.current = null;
    setFirst(null);
    onChord(chord);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.key === 'Escape') return onCancel();
    const chord = chordOf(event);
    if (chord === null) return;
    if (first !== null) return end(`${first} ${chord}`);
    if (chord.startsWith('mod+')) return end(chord);
    setFirst(chord);
    timer.current = setTimeout(() => end(chord), SECOND_MS);
  };
  return (
    <button type="button" ref={field} className={styles.press} aria-label={label} onKeyDown={onKeyDown}>
      {first === null ? 'Press the new key' : `${first} …`}
    </button>
  );
}
