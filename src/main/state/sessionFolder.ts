// Reading the databases a server left in a session's folder on this machine: copied, never opened where they lie.
// Must not know: which episode it was.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Failure } from '../../shared/failure.ts';

export type FolderImages = { initial: Uint8Array; current: Uint8Array };

const INITIAL = '_initial.db';
/** A database is held in memory as a whole. */
const SESSION_DATABASE_MAX = 256 * 1024 * 1024;

/**
 * The database as it was at reset (`<name>_initial.db`) and as it was left (`<name>.db`), or a run's `initial.db` and
 * `final.db`. `scenario` decides where the folder holds several. Throws `not_found` naming what is missing, `data_corrupt` for what is no database.
 */
export function readSessionFolder(folder: string, scenario: string | null): FolderImages {
  const names = namesIn(folder);
  if (names.includes('initial.db') && names.includes('final.db')) {
    return {
      initial: copyDatabaseFile(join(folder, 'initial.db')),
      current: copyDatabaseFile(join(folder, 'final.db')),
    };
  }
  const pairs = names.filter((name) => names.includes(`${name.slice(0, -INITIAL.length)}.db`));
  const initial = pairs.find((name) => name === `${scenario ?? ''}${INITIAL}`) ?? onlyOne(pairs);
  if (initial === null) {
    throw new Failure('not_found', `the session folder ${folder} holds no pair of databases`, {
      next: 'A server of the Agent World Model leaves NAME_initial.db and NAME.db there.',
    });
  }
  const current = `${initial.slice(0, -INITIAL.length)}.db`;
  return {
    initial: copyDatabaseFile(join(folder, initial)),
    current: copyDatabaseFile(join(folder, current)),
  };
}

/** Files of a server in a session's folder. */
const LEFT_BY_SERVER = /\.db(?:-wal|-shm|-journal)?$|^(?:server\.py|server\.log|trajectory\.json)$/;

/**
 * Takes a session's folder away, file by file: only plain files that a server leaves there. A server that names another
 * folder loses nothing but such files, and none where anything else lies beside them.
 */
export function removeSessionFolder(folder: string): void {
  try {
    if (!isAbsolute(folder) || !lstatSync(folder).isDirectory()) return;
    const names = readdirSync(folder);
    const isKnown = (name: string): boolean =>
      LEFT_BY_SERVER.test(name) && lstatSync(join(folder, name)).isFile();
    if (!names.every(isKnown)) return;
    for (const name of names) unlinkSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // It belongs to the server: what cannot be removed is left to it.
  }
}

const onlyOne = (names: readonly string[]): string | null => (names.length === 1 ? (names[0] ?? null) : null);

function namesIn(folder: string): string[] {
  try {
    // A relative path would be one of this process, not of the server that named it.
    if (!isAbsolute(folder)) throw new Error('not an absolute path');
    return readdirSync(folder).filter((name) => name.endsWith('.db'));
  } catch (cause) {
    throw new Failure('not_found', `the session folder ${folder} cannot be read`, {
      cause,
      next: 'It was moved or deleted, it belongs to another user, or the server runs in a container.',
    });
  }
}

/** The bytes of a database with what its log still holds, taken from a copy. Throws `not_found`, `data_corrupt`. */
export function copyDatabaseFile(file: string): Uint8Array {
  const stat = lstatSync(file);
  if (!stat.isFile()) throw new Failure('not_found', `${file} is no plain file`);
  if (stat.size > SESSION_DATABASE_MAX) {
    throw new Failure(
      'not_found',
      `${file} is larger than ${String(SESSION_DATABASE_MAX / 1024 / 1024)} MB`,
      {
        next: 'Open it with a database tool of your own.',
      },
    );
  }
  const scratch = mkdtempSync(join(tmpdir(), 'interject-state-'));
  try {
    const copy = join(scratch, 'copy.db');
    copyFileSync(file, copy);
    const log = `${file}-wal`;
    if (existsSync(log) && lstatSync(log).isFile()) copyFileSync(log, `${copy}-wal`);
    return databaseBytes(copy, file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function databaseBytes(copy: string, file: string): Uint8Array {
  try {
    const db = new Sqlite(copy);
    try {
      // Bytes that say they have a log beside them cannot be opened from memory.
      db.pragma('journal_mode = DELETE');
      return db.serialize();
    } finally {
      db.close();
    }
  } catch (cause) {
    throw new Failure('data_corrupt', `${file} is no database that can be read`, { cause });
  }
}
