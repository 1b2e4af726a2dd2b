// Storage for a person's choices over a reload. A browser that forbids or fills it costs memory, not work.
import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export type TabStorage = {
  /** What was kept under `name`, or `fallback` when nothing was or it no longer fits. */
  read: <T>(name: string, schema: z.core.$ZodType<T>, fallback: T) => T;
  /** False when the browser would not keep it. */
  write: (name: string, value: unknown) => boolean;
  remove: (name: string) => void;
  names: (prefix: string) => string[];
};

const STORAGE_PREFIX = 'interject.';

export function createKept(storage: Storage): TabStorage {
  return {
    read(name, schema, fallback) {
      try {
        const parsed = z.safeParse(schema, parseJson(storage.getItem(STORAGE_PREFIX + name) ?? 'null'));
        return parsed.success ? parsed.data : fallback;
      } catch {
        return fallback;
      }
    },
    write(name, value) {
      try {
        storage.setItem(STORAGE_PREFIX + name, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    remove(name) {
      try {
        storage.removeItem(STORAGE_PREFIX + name);
      } catch {
        // Storage that cannot be written held nothing to remove.
      }
    },
    names(prefix) {
      const all = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      return all
        .filter((key) => key.startsWith(STORAGE_PREFIX + prefix))
        .map((key) => key.slice(STORAGE_PREFIX.length));
    },
  };
}

/** Storage that lasts as long as the page, for browsers that forbid the real one. */
export function createMemoryStorage(): Storage {
  const held = new Map<string, string>();
  return {
    get length() {
      return held.size;
    },
    key: (index) => [...held.keys()][index] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  };
}
