// The record of how keys were used: counts per key and a bounded list of what happened. Written behind, in a file.
import { z } from 'zod';
import { KeyNote } from '../../shared/contract/gateway.ts';
import type { JsonFile } from './jsonFile.ts';

type Use = { uses: number; lastUsedAt: number | null };
export type KeyUse = {
  of(id: string): Use;
  /** Newest first. */
  notes(): KeyNote[];
  note(note: Pick<KeyNote, 'key' | 'name' | 'door' | 'what'>): void;
  /** It is in use still; what is listed stays as it is. */
  touch(id: string): void;
  /** What another file says of keys and invites that are not known here. */
  takeOver(file: JsonFile): void;
  /** Writes what is not written yet. */
  close(): void;
};

const NOTES_MAX = 500;
const USE_WINDOW_MS = 60_000;
/** A busy key must not mean a file written per request. */
const USE_WRITE_DELAY_MS = 2000;

const StoredKeyUse = z.object({
  uses: z.record(z.string(), z.object({ uses: z.number(), last_used_at: z.number().nullable() })),
  notes: z.array(z.unknown()),
});

type KeyUseEdges = {
  file: JsonFile;
  clock: () => number;
  schedule: (delayMs: number, run: () => void) => () => void;
};

export function createKeyUse({ file, clock, schedule }: KeyUseEdges): KeyUse {
  const stored = readUse(file);
  const { uses } = stored;
  let { notes } = stored;
  let cancel: (() => void) | null = null;

  const write = (): void => {
    cancel = null;
    const all = [...uses].map(([id, one]) => [id, { uses: one.uses, last_used_at: one.lastUsedAt }]);
    file.write({ uses: Object.fromEntries(all) as Record<string, unknown>, notes });
  };
  return {
    of: (id) => uses.get(id) ?? { uses: 0, lastUsedAt: null },
    notes: () => notes.toReversed(),
    note: ({ key, name, door, what }) => {
      const at = clock();
      if (what === 'used' && key !== null) {
        uses.set(key, { uses: (uses.get(key)?.uses ?? 0) + 1, lastUsedAt: at });
      }
      const isSame = (one: KeyNote): boolean =>
        one.key === key && one.door === door && one.what === what && at - one.at < USE_WINDOW_MS;
      const known = notes.findLastIndex(isSame);
      const same = notes[known];
      if (same === undefined)
        notes = [...notes.slice(1 - NOTES_MAX), { at, key, name, door, what, times: 1 }];
      else notes[known] = { ...same, times: same.times + 1 };
      cancel ??= schedule(USE_WRITE_DELAY_MS, write);
    },
    touch: (id) => {
      const known = uses.get(id);
      if (known === undefined || clock() - (known.lastUsedAt ?? 0) < USE_WINDOW_MS) return;
      uses.set(id, { ...known, lastUsedAt: clock() });
      cancel ??= schedule(USE_WRITE_DELAY_MS, write);
    },
    takeOver: (other) => {
      const came = readUse(other);
      for (const [id, use] of came.uses) if (!uses.has(id)) uses.set(id, use);
      notes = [...came.notes, ...notes].slice(-NOTES_MAX);
      write();
    },
    close: () => {
      if (cancel === null) return;
      cancel();
      write();
    },
  };
}

/** The file's uses and notes; none if it is no such file. */
function readUse(file: JsonFile): { uses: Map<string, Use>; notes: KeyNote[] } {
  const stored = StoredKeyUse.safeParse(file.read()).data;
  const uses = Object.entries(stored?.uses ?? {}).map(
    ([id, one]) => [id, { uses: one.uses, lastUsedAt: one.last_used_at }] as const,
  );
  return {
    uses: new Map(uses),
    notes: (stored?.notes ?? []).flatMap((one) => KeyNote.safeParse(one).data ?? []),
  };
}
