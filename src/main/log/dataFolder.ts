// Gives a data folder to one process at a time. The lock is SQLite's own on a file beside the log, so the kernel holds it:
// it ends with the process, however that ends, and it knows nothing of process ids.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { Failure, errorMessage } from '../../shared/failure.ts';
import { checkRuntime } from './runtime.ts';

export type DataFolder = {
  path: string;
  file(name: string): string;
  release(): void;
  /** Who held it last and ended without giving it back: killed, crashed, or the power went. Null where it was given back. */
  killed: Owner | null;
};

/** The empty database that is locked. It is never removed: two processes could then lock two files of one name. */
export const LOCK_FILE = 'interject.lock.db';
/** Says who holds the lock, for the message only. */
const OWNER_FILE = 'interject.lock';

const Owner = z.object({
  pid: z.number().int(),
  host: z.string().optional(),
  command: z.string().optional(),
  since: z.string().optional(),
});
export type Owner = z.infer<typeof Owner>;

/** An owner that is just ending, and one that starts at the same moment, are waited for. */
const WAIT_MS = 1_000;

/**
 * Takes the folder (making it if needed). Throws `data_in_use` naming the owner, or `data_unwritable`; both after
 * `waitMs` at most.
 */
export function takeDataFolder(path: string, waitMs = WAIT_MS): DataFolder {
  checkRuntime();
  const lock = lockFolder(path, waitMs);
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    removeOwner(join(path, OWNER_FILE));
    lock.close();
  };
  // The lock is ours, so whoever is named there has ended.
  const killed = ownerOf(path);
  try {
    writeOwner(join(path, OWNER_FILE));
  } catch (thrown) {
    release();
    throw unusable(path, thrown);
  }
  return { path, file: (name) => join(path, name), release, killed };
}

function lockFolder(path: string, waitMs: number): Sqlite.Database {
  let lock: Sqlite.Database | null = null;
  try {
    makeFolder(path);
    createForOwner(join(path, LOCK_FILE));
    lock = new Sqlite(join(path, LOCK_FILE), { timeout: waitMs });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (thrown) {
    lock?.close();
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (code.startsWith('SQLITE_BUSY')) throw inUse(path, ownerOf(path));
    if (/^SQLITE_IOERR_\w*LOCK|^SQLITE_PROTOCOL/.test(code)) {
      throw new Failure('data_unwritable', `the file system of ${path} does not lock files (${code})`, {
        cause: thrown,
        next: 'Choose a folder on a local disk with --data: without locks two processes could write one log.',
      });
    }
    throw unusable(path, thrown);
  }
}

/**
 * Makes a folder and what is missing above it, for this user alone. Node's own recursive call never returns on a file
 * system that answers "no such file" to every attempt.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) mkdirOnce(folder);
}

/** Another process may make it at the same moment. */
function mkdirOnce(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if (!isThere(thrown)) throw thrown;
  }
}

/**
 * Makes an empty file that only its owner can read, whatever the umask; true when it was not there. A file that is there
 * is not opened: closing it would end every lock this process holds on it (POSIX `fcntl`).
 */
export function createForOwner(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (thrown) {
    if (isThere(thrown)) return false;
    throw thrown;
  }
}

const isThere = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';

function unusable(path: string, thrown: unknown): Failure {
  return new Failure('data_unwritable', `cannot use the data folder ${path}: ${errorMessage(thrown)}`, {
    cause: thrown,
    next: 'Check that it exists and is writable, or choose another with --data.',
  });
}

/** Owner of a folder: `process 7 on host (desktop, since …)`. */
export function ownerWords(owner: Owner | null): string {
  if (owner === null) return 'another process';
  const { pid, host, command, since } = owner;
  const about = [command, since === undefined ? undefined : `since ${since}`].filter(
    (one) => one !== undefined,
  );
  const who = `process ${String(pid)}${host === undefined ? '' : ` on ${host}`}`;
  return about.length === 0 ? who : `${who} (${about.join(', ')})`;
}

function inUse(path: string, owner: Owner | null): Failure {
  if (owner === null) {
    return new Failure('data_in_use', `another process already uses the data folder ${path}`, {
      next: 'Close that Interject, or choose another data folder with --data. If none is open, `interject doctor` says whether files can be locked there.',
    });
  }
  const { command } = owner;
  const isConsole = command === undefined || STAYING.has(command);
  const first = isConsole ? 'Close that Interject' : `Wait until that \`interject ${command}\` is over`;
  return new Failure('data_in_use', `${ownerWords(owner)} already uses the data folder ${path}`, {
    next: `${first}, or choose another data folder with --data.`,
  });
}

/** They end when a person closes them, other commands with their own work. */
const STAYING: ReadonlySet<string> = new Set(['desktop', 'serve']);

/** Only the command's name: its arguments may hold addresses and keys. */
function writeOwner(file: string): void {
  const word = process.argv[2] ?? '';
  const command =
    process.versions['electron'] !== undefined ? 'desktop' : /^[a-z]+$/.test(word) ? word : undefined;
  const owner: Owner = {
    pid: process.pid,
    host: hostname(),
    ...(command === undefined ? {} : { command }),
    since: new Date().toISOString(),
  };
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx' });
}

/** In a folder that became read-only it stays, and says nothing that counts. */
function removeOwner(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Only the lock counts.
  }
}

/** The owner that claims the folder; null where nobody does. It may be out of date: only the lock counts. */
export function ownerOf(path: string): Owner | null {
  try {
    return Owner.parse(JSON.parse(readFileSync(join(path, OWNER_FILE), 'utf8')));
  } catch {
    return null;
  }
}
