// Opens the database file: settings, migrations, and what an open that fails means.
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { damagedLog, errorMessage, Failure } from '../../shared/failure.ts';
import { makeFolder } from './dataFolder.ts';
import { removeHalfImported } from './halfImported.ts';
import { ADDS_ONLY, MIGRATIONS } from './migrations.ts';
import { rebuildProjections } from './rebuild.ts';
import { checkRuntime } from './runtime.ts';

export type Database = Sqlite.Database;

type OpenOptions = {
  /** How long a write waits for another process. */
  busyMs?: number;
  /** Called before an existing log is changed to a newer schema, with the version it has. */
  beforeMigration?: (db: Database, version: number) => void;
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
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    migrate(db, path, options);
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

function migrate(db: Database, path: string, { beforeMigration }: OpenOptions): void {
  const at = db.pragma('user_version', { simple: true }) as number;
  if (at > MIGRATIONS.length) {
    throw new Failure('data_corrupt', `${path} was written by a newer version of Interject`, {
      next: 'Start the newer version, or choose another data folder with --data.',
    });
  }
  if (at === MIGRATIONS.length) return;
  if (at > 0) beforeMigration?.(db, at);
  // A new or changed projection is filled from the events before anyone reads it.
  db.transaction(() => {
    for (const sql of MIGRATIONS.slice(at)) db.exec(sql);
    db.pragma(`user_version = ${String(MIGRATIONS.length)}`);
    if (at > 0 && !isAddingOnly(at)) rebuildProjections(db);
  }).immediate();
}

const isAddingOnly = (from: number): boolean =>
  MIGRATIONS.slice(from).every((_, step) => ADDS_ONLY.has(from + step + 1));

/** Whether SQLite itself refused. */
export const isSqlite = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE');

/** What a database error means to the person, by SQLite's own code. */
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
