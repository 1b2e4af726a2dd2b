// Before a log is moved: what a killed program left beside it goes into it, so that the two never lie in different folders.
import Sqlite from 'better-sqlite3';

/** A log that cannot be read stays as it is: opening it says what is wrong. */
export function foldWal(log: string): void {
  try {
    const db = new Sqlite(log, { fileMustExist: true });
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
  } catch {
    // Nothing is lost: both files are moved.
  }
}
