// One JSON object in a file: written whole or not at all, and never lost when it cannot be read.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, errorMessage } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';

export type JsonFile = {
  /** The object in the file; empty when there is no file. */
  read(): Record<string, unknown>;
  exists(): boolean;
  /** Replaces the file in one step; a crash leaves the old one or the new one. Throws `data_unwritable`. */
  write(value: Readonly<Record<string, unknown>>): void;
};

/** A list in such an object, its entries unread; empty where there is none. */
export const rawList = (raw: Readonly<Record<string, unknown>>, name: string): unknown[] => {
  const list = raw[name];
  return Array.isArray(list) ? list : [];
};

type JsonFileOptions = {
  /** A secret file that others can read is closed to them before it is read, and `tell` hears of it. */
  isSecret: boolean;
  /**
   * What becomes of a file that is no JSON object. `move_aside`: it is renamed, `tell` hears its new name, and the
   * caller goes on with defaults. `refuse`: reading and writing throw `data_corrupt`, and the file stays as it is.
   */
  whenBroken: 'move_aside' | 'refuse';
  tell: (notice: string) => void;
};

const OWNER_ONLY_MODE = 0o600;

/** A JSON file that only its owner can read. */
export function createJsonFile(path: string, { isSecret, whenBroken, tell }: JsonFileOptions): JsonFile {
  const read = (): Record<string, unknown> => {
    const text = readFileText(path, isSecret ? () => restrictToOwner(path, tell) : () => {});
    if (text === null || (text.trim() === '' && whenBroken === 'move_aside')) return {};
    const value = tryJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    if (whenBroken === 'refuse') throw unreadableFile(path);
    const aside = freeName(path);
    renameSync(path, aside);
    tell(
      `${basename(path)} could not be read as JSON. It was moved to ${basename(aside)}, and defaults are used.`,
    );
    return {};
  };
  return {
    read,
    exists: () => existsSync(path),
    write: (value) => {
      // A caller that never read it must not replace what it cannot have known.
      if (whenBroken === 'refuse') read();
      try {
        writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`);
      } catch (thrown) {
        throw new Failure('data_unwritable', `${path} cannot be written: ${errorMessage(thrown)}`, {
          cause: thrown,
          next: 'Check that the data folder is writable and that the disk is not full.',
        });
      }
    },
  };
}

/** Keys in a file that cannot be read are still there: nothing may take their place. */
const unreadableFile = (path: string): Failure =>
  new Failure('data_corrupt', `${path} cannot be read as JSON; it was not changed`, {
    next: 'Restore it from a backup, or move it away: the keys in it then have to be entered or made again.',
  });

function readFileText(path: string, check: () => void): string | null {
  if (!existsSync(path)) return null;
  try {
    check();
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (thrown) {
    throw new Failure('data_unwritable', `${path} cannot be read: ${errorMessage(thrown)}`, {
      cause: thrown,
      next: 'Check its owner and permissions.',
    });
  }
}

/** Windows keeps its own permissions; there the mode says nothing. */
function restrictToOwner(path: string, tell: (notice: string) => void): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  chmodSync(path, OWNER_ONLY_MODE);
  tell(`${basename(path)} could be read by other users of this computer; now only you can read it.`);
}

/** A temporary file beside it, flushed, renamed into place; then the folder, so that the new name outlives a power cut. */
function writeAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}`);
  rmSync(draft, { force: true });
  try {
    // All of it: a disk that fills up takes a part without a word from `writeSync`.
    writeFileSync(draft, text, { flag: 'wx', mode: OWNER_ONLY_MODE, flush: true });
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
  flushFolder(dirname(path));
}

/** Windows has no such call for folders; it keeps names in its own journal. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function freeName(path: string): string {
  const stem = path.replace(/\.json$/, '');
  let n = 1;
  while (existsSync(`${stem}.broken-${String(n)}.json`)) n += 1;
  return `${stem}.broken-${String(n)}.json`;
}
