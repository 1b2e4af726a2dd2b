// Letting no drawn key show what the person turned off.
import { useCallback, type ReactNode } from 'react';
import { ChordReading } from '../ui/Kbd.tsx';
import { useConsole } from './hooks.ts';
import { shownChord } from './keys.ts';

/** Stands around the whole console. */
export function ChordProvider({ children }: { children: ReactNode }): ReactNode {
  const hasPlainKeys = useConsole(({ ui }) => ui.prefs.plain_keys);
  const read = useCallback((chordOrName: string) => shownChord(chordOrName, hasPlainKeys), [hasPlainKeys]);
  return <ChordReading value={read}>{children}</ChordReading>;
}
