// Files of a data folder that other users of the machine could read are closed to them.
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LOG_FILES = ['interject.db', 'interject.db-wal', 'interject.db-shm'];
/** Paths in a data folder that others must not read: files, then folders. */
export const FILES = [
  ...LOG_FILES,
  'interject.mark',
  'interject.owner',
  'interject.lock',
  'interject.lock.db',
  'settings.json',
  'secrets.json',
  'keychain.json',
  'keys.json',
  'key-use.json',
];
export const FOLDERS = ['came-with', 'sources', 'sessions', 'exports', 'reports', 'backups'];

/** Names in the folder that others may open. Windows keeps its own permissions; there the mode says nothing. */
export const openToOthers = (folder: string): string[] =>
  process.platform === 'win32'
    ? []
    : [...FILES, ...FOLDERS].filter((name) => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return found !== undefined && (found.mode & 0o077) !== 0;
      });

/** Closes them; returns what to tell a person, or null. Opens none: that would end locks that are held on them. */
export function makeOwnerOnly(folder: string): string | null {
  const names = openToOthers(folder);
  for (const name of names) chmodSync(join(folder, name), FOLDERS.includes(name) ? 0o700 : 0o600);
  if (names.length === 0) return null;
  return `${names.join(', ')} could be read by other users of this computer; now only you can read ${names.length === 1 ? 'it' : 'them'}.`;
}
