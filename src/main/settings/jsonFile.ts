// Owns: one JSON object in a file: written whole or not at all, and never lost when it cannot be read.
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
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';

export type JsonFile = {
  /** The object in the file; empty when there is no file. A file that cannot be read as one is moved aside. */
  read(): Record<string, unknown>;
  write(value: Readonly<Record<string, unknown>>): void;
};

const OWNER_ONLY = 0o600;

/**
 * `tell` hears where a broken file went. What is written only its owner can read; a secret file that others can read is
 * closed to them before it is read, and `tell` hears of that too.
 */
export function createJsonFile(
  path: string,
  { isSecret, tell }: { isSecret: boolean; tell: (notice: string) => void },
): JsonFile {
  return {
    read: () => {
      const text = readText(path, isSecret ? () => closeToOthers(path, tell) : () => {});
      if (text === null || text.trim() === '') return {};
      const value = parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return value as Record<string, unknown>;
      }
      const aside = freeName(path);
      renameSync(path, aside);
      tell(
        `${basename(path)} could not be read as JSON. It was moved to ${basename(aside)}, and defaults are used.`,
      );
      return {};
    },
    write: (value) => {
      try {
        writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
      } catch (thrown) {
        throw new Failure('data_unwritable', `${path} cannot be written: ${messageOf(thrown)}`, {
          cause: thrown,
          next: 'Check that the data folder is writable and that the disk is not full.',
        });
      }
    },
  };
}

function readText(path: string, check: () => void): string | null {
  if (!existsSync(path)) return null;
  try {
    check();
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (thrown) {
    throw new Failure('data_unwritable', `${path} cannot be read: ${messageOf(thrown)}`, {
      cause: thrown,
      next: 'Check its owner and permissions.',
    });
  }
}

/** Windows keeps its own permissions; there the mode says nothing. */
function closeToOthers(path: string, tell: (notice: string) => void): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  chmodSync(path, OWNER_ONLY);
  tell(`${basename(path)} could be read by other users of this computer; now only you can read it.`);
}

/** A crash leaves the old file or the new one, never half of one. */
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}`);
  rmSync(draft, { force: true });
  const handle = openSync(draft, 'wx', OWNER_ONLY);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
}

function freeName(path: string): string {
  const stem = path.replace(/\.json$/, '');
  let n = 1;
  while (existsSync(`${stem}.broken-${String(n)}.json`)) n += 1;
  return `${stem}.broken-${String(n)}.json`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
