// Owns: opening the database file: settings, migrations, and what an open that fails means.
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Failure } from '../../shared/failure.ts';
import { makeFolder } from './dataFolder.ts';
import { removeHalfImported } from './halfImported.ts';
import { MIGRATIONS } from './migrations.ts';
import { rebuildProjections } from './rebuild.ts';
import { checkRuntime } from './runtime.ts';

export type Database = Sqlite.Database;

/**
 * Opens (and makes) the log at `path`, or in memory for `:memory:`.
 * `busyMs` is how long a write waits for another process. Throws `data_unwritable`, `data_corrupt` or `data_in_use` with the path and what to do.
 */
export function openDatabase(path: string, busyMs = 5_000): Database {
  checkRuntime();
  try {
    if (path !== ':memory:') makeFolder(dirname(path));
    const db = new Sqlite(path, { timeout: busyMs });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    migrate(db, path);
    removeHalfImported(db);
    return db;
  } catch (thrown) {
    throw databaseFailure(thrown, path);
  }
}

function migrate(db: Database, path: string): void {
  const at = db.pragma('user_version', { simple: true }) as number;
  if (at > MIGRATIONS.length) {
    throw new Failure('data_corrupt', `${path} was written by a newer version of Interject`, {
      next: 'Start the newer version, or choose another data folder with --data.',
    });
  }
  if (at === MIGRATIONS.length) return;
  // A new or changed projection is filled from the events before anyone reads it.
  db.transaction(() => {
    for (const sql of MIGRATIONS.slice(at)) db.exec(sql);
    db.pragma(`user_version = ${String(MIGRATIONS.length)}`);
    if (at > 0) rebuildProjections(db);
  }).immediate();
}

/** Whether SQLite itself refused. */
export const isSqlite = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE');

/** What a database error means to the person, by SQLite's own code. */
export function databaseFailure(thrown: unknown, path: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new Failure('data_in_use', `another process holds ${path}`, {
      cause: thrown,
      next: 'Close the other Interject, or choose another data folder with --data.',
    });
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return new Failure('data_corrupt', `${path} is not a readable log: ${message}`, {
      cause: thrown,
      next: 'Restore the file from a backup, or choose another data folder with --data. The file was not changed.',
    });
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
