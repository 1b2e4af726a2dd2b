// Texts that cost something to make, kept in a folder of their own that only its owner can read.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type TextCache = { read(name: string): string | null; keep(name: string, text: string): void };

/** A text that cannot be kept is made again the next time. */
export function folderTextCache(folder: string): TextCache {
  return {
    read: (name) => {
      try {
        return readFileSync(join(folder, name), 'utf8');
      } catch {
        return null;
      }
    },
    keep: (name, text) => {
      const partial = join(folder, `${name}.${String(process.pid)}`);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(partial, text, { mode: 0o600 });
        renameSync(partial, join(folder, name));
      } catch {
        return;
      }
    },
  };
}
