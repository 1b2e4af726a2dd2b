// Opens a log beside whoever has it: to look at it, to copy it, to save what can be read of it.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readDatabase, type Database } from './database.ts';
import { createHighWater } from './highWater.ts';
import { LOG_FILE, MARK_FILE } from './openLog.ts';

/** Reads the log of a folder and closes it. Throws `log_damaged` for what SQLite cannot read, and what `work` throws. */
export const readLog = <T>(folder: string, work: (db: Database) => T): T =>
  readDatabase(join(folder, LOG_FILE), work);

/** Opens a copy of a damaged log as it is, whatever its schema. The caller closes it. */
export const openDamaged = (path: string): Database => new Sqlite(path, { fileMustExist: true });

/** Gives a log that was just written its high-water mark. */
export function markLog(folder: string): void {
  const db = new Sqlite(join(folder, LOG_FILE), { fileMustExist: true });
  try {
    createHighWater(join(folder, MARK_FILE), db, (thrown) => {
      throw thrown;
    }).close();
  } finally {
    db.close();
  }
}
