// Opens the database file: settings, the schema, and what an open that fails means.
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { damagedLog, errorMessage, Failure } from '../../shared/failure.ts';
import { makeFolder } from './dataFolder.ts';
import { removeHalfImported } from './halfImported.ts';
import { checkRuntime } from './runtime.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

export type Database = Sqlite.Database;

type OpenOptions = {
  /** How long a write waits for another process. */
  busyMs?: number;
  /** Called before events of a half import are taken out, with the first place in the log that is given out again. */
  beforeRemoval?: (db: Database, firstSeq: number) => void;
};

/**
 * Opens (and makes) the log at `path`, or in memory for `:memory:`. Throws `data_unwritable`, `data_corrupt`,
 * `log_damaged` or `data_in_use` with the path and what to do.
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  checkRuntime();
  let opened: Database | null = null;
  try {
    if (path !== ':memory:') makeFolder(dirname(path));
    const db = new Sqlite(path, { timeout: options.busyMs ?? 5_000 });
    opened = db;
    checkVersion(db, path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    makeSchema(db);
    removeHalfImported(db, (firstSeq) => options.beforeRemoval?.(db, firstSeq));
    return db;
  } catch (thrown) {
    opened?.close();
    throw databaseFailure(thrown, path);
  }
}

/** Reads the database at `path` and closes it. Throws `log_damaged` for what SQLite cannot read, and what `work` throws. */
export function readDatabase<T>(path: string, work: (db: Database) => T): T {
  try {
    const db = new Sqlite(path, { readonly: true, fileMustExist: true });
    try {
      return work(db);
    } finally {
      db.close();
    }
  } catch (thrown) {
    throw databaseFailure(thrown, path);
  }
}

/** The last version that reads logs of 0.1, and exports them in a form that this one imports. */
const READS_OLDER = 'aef6d5aaeab2fa83b5c52037cd50b5377fb2e4fb';

const versionOf = (db: Database): number => db.pragma('user_version', { simple: true }) as number;

/** Throws `data_corrupt` for a log of another version; what was never written passes. */
export function checkVersion(db: Database, path: string): void {
  const version = versionOf(db);
  if (version === 0 || version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION)
    throw new Failure('data_corrupt', `${path} was written by a newer version of Interject`, {
      next: 'Start the newer version, or choose another data folder with --data.',
    });
  throw new Failure('data_corrupt', `${path} was written by an older version of Interject`, {
    next: `Check out ${READS_OLDER}, run its \`interject export --format events\` on the folder, and import what it wrote into a new one.`,
  });
}

function makeSchema(db: Database): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  db.transaction(() => {
    db.exec(SCHEMA);
    db.pragma(`user_version = ${String(SCHEMA_VERSION)}`);
  }).immediate();
}

/** True if SQLite itself refused. */
export const isSqlite = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE');

/** A database error explained to the person, by SQLite's own code. */
export function databaseFailure(thrown: unknown, path: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const message = errorMessage(thrown);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new Failure('data_in_use', `another process holds ${path}`, {
      cause: thrown,
      next: 'Close the other Interject, or choose another data folder with --data.',
    });
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return damagedLog(`${path} is not a readable log: ${message}`, thrown);
  }
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') {
    return new Failure('data_unwritable', `no space left for ${path}`, {
      cause: thrown,
      next: 'Free some disk space; what was committed before is safe.',
    });
  }
  // What was to be written is at fault, not the place: trying again changes nothing.
  if (/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(code)) {
    return new Failure('internal', `${path} refuses what was to be written: ${message}`, {
      cause: thrown,
      next: 'Nothing was written; what was committed before is safe.',
    });
  }
  return new Failure('data_unwritable', `cannot write ${path}: ${message}`, {
    cause: thrown,
    next: 'Check that the folder exists and is writable, or choose another with --data.',
  });
}
