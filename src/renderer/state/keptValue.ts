// Owns: one value a person has not sent yet, kept over a reload under a name until it is sent or too old.
import { useCallback, useState } from 'react';
import { z } from 'zod';
import { useSession } from './hooks.ts';
import type { Kept } from './kept.ts';

const PREFIX = 'unsent/';
const KEEP_MS = 30 * 24 * 3600 * 1000;

const Entry = z.strictObject({ at: z.number(), value: z.unknown() });

/** The value kept under `name`, null when there is none. Setting null forgets it. */
export function useKeptValue<T>(name: string, schema: z.ZodType<T>): [T | null, (value: T | null) => void] {
  const { own: kept } = useSession();
  const [held, setHeld] = useState(() => ({ name, value: readKept(kept, name, schema) }));
  const current = held.name === name ? held : { name, value: readKept(kept, name, schema) };
  if (current !== held) setHeld(current);
  const set = useCallback(
    (value: T | null) => {
      setHeld({ name, value });
      if (value === null) kept.remove(PREFIX + name);
      else kept.write(PREFIX + name, { at: Date.now(), value });
    },
    [kept, name],
  );
  return [current.value, set];
}

/** What is kept under a name; null when nothing is, or it no longer fits. */
export function readKept<T>(kept: Kept, name: string, schema: z.ZodType<T>): T | null {
  const entry = kept.read(PREFIX + name, Entry.nullable(), null);
  const parsed = entry === null ? null : schema.safeParse(entry.value);
  return parsed?.success === true ? parsed.data : null;
}

/** Drops what nobody came back to. */
export function forgetOldKept(kept: Kept, now: number): void {
  for (const name of kept.names(PREFIX)) {
    const entry = kept.read(name, Entry.nullable(), null);
    if (entry === null || now - entry.at > KEEP_MS) kept.remove(name);
  }
}
