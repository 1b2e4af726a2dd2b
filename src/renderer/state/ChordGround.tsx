// Letting every drawn key show what the person made of it.
import { useCallback, type ReactNode } from 'react';
import { ChordReading } from '../ui/Kbd.tsx';
import { useConsole } from './hooks.ts';
import { shownChord } from './remap.ts';

/** Stands around the whole console. */
export function ChordGround({ children }: { children: ReactNode }): ReactNode {
  const changes = useConsole(({ ui }) => ui.keys);
  const read = useCallback((chordOrName: string) => shownChord(chordOrName, changes), [changes]);
  return <ChordReading value={read}>{children}</ChordReading>;
}
