// One value a person has not sent yet, kept over a reload under a name until it is sent or too old.
import { useCallback, useState } from 'react';
import * as z from 'zod/mini';
import { UNSENT_PREFIX } from './drafts.ts';
import { useSession } from './hooks.ts';
import type { TabStorage } from './kept.ts';

const Entry = z.strictObject({ at: z.number(), value: z.unknown() });

/** The value kept under `name`, null when there is none. Setting null forgets it. */
export function useKeptValue<T>(
  name: string,
  schema: z.core.$ZodType<T>,
): [T | null, (value: T | null) => void] {
  const { own: kept } = useSession();
  const [held, setHeld] = useState(() => ({ name, value: readKept(kept, name, schema) }));
  const current = held.name === name ? held : { name, value: readKept(kept, name, schema) };
  if (current !== held) setHeld(current);
  const set = useCallback(
    (value: T | null) => {
      setHeld({ name, value });
      if (value === null) kept.remove(UNSENT_PREFIX + name);
      else kept.write(UNSENT_PREFIX + name, { at: Date.now(), value });
    },
    [kept, name],
  );
  return [current.value, set];
}

/** The value kept under a name; null when there is none, or it no longer fits. */
export function readKept<T>(kept: TabStorage, name: string, schema: z.core.$ZodType<T>): T | null {
  const entry = kept.read(UNSENT_PREFIX + name, z.nullable(Entry), null);
  const parsed = entry === null ? null : z.safeParse(schema, entry.value);
  return parsed?.success === true ? parsed.data : null;
}
