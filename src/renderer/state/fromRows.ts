// Derives values from the rows of all episodes once for each change of theirs, however often the store changes
// otherwise, with every key that is typed among it.
import { useState } from 'react';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { useConsole } from './hooks.ts';
import type { ConsoleState } from './store.ts';

type Rows = ConsoleState['record']['rows'];

/** The result of `read` on the rows; the one before where that is `isSame`. */
export function createFromRows<T>(
  read: (rows: Iterable<EpisodeRow>) => T,
  isSame: (before: T, now: T) => boolean = Object.is,
): (state: ConsoleState) => T {
  let last: { rows: Rows; found: T } | null = null;
  return ({ record: { rows } }) => {
    if (last?.rows === rows) return last.found;
    const found = read(rows.values());
    last = { rows, found: last !== null && isSame(last.found, found) ? last.found : found };
    return last.found;
  };
}

/** The same in a component; `read` and `isSame` are those of its first drawing. */
export function useFromRows<T>(
  read: (rows: Iterable<EpisodeRow>) => T,
  isSame?: (before: T, now: T) => boolean,
): T {
  const [select] = useState(() => createFromRows(read, isSame));
  return useConsole(select);
}
