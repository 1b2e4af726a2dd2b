// Opens the log of a data folder that was taken: refuses one that lost something, or is of another version,
// and closes its files to other users.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { damagedLog, Failure } from '../../shared/failure.ts';
import type { StartThread } from './checkpoints.ts';
import { checkVersion, openDatabase, readDatabase, type Database } from './database.ts';
import { createForOwner, takeDataFolder, type DataFolder } from './dataFolder.ts';
import { createEventLog, type EventLog } from './eventLog.ts';
import {
  ACCEPT,
  checkHighWater,
  createHighWater,
  readHighWater,
  type HighWater,
  type HighWaterMark,
} from './highWater.ts';
import { makeOwnerOnly } from './ownerOnly.ts';

export const LOG_FILE = 'interject.db';
export const MARK_FILE = 'interject.mark';
/** Lies in a folder that is being filled with a copy, until all of it is there. */
export const UNFINISHED_FILE = 'interject.unfinished';

/** A log of up to so many bytes is checked whole whenever it is opened; that takes a fifth of a second at most. */
const CHECKED_BYTES = 128 * 1024 * 1024;

type LogEdges = {
  clock: () => number;
  report: (thrown: unknown) => void;
  /** Hears each notice when it arises. */
  tell: (notice: string) => void;
  startThread?: StartThread | undefined;
};

export type OpenedLog = {
  folder: DataFolder;
  db: Database;
  log: EventLog;
  /** What a person should know: files that were closed to others, what a power cut took. */
  notices: string[];
  /** Closes the log, then gives the folder back. */
  close(): void;
};

/**
 * Takes a data folder and opens its log. Throws `data_in_use`, `log_damaged`, `data_corrupt`, `data_unwritable`. A log that
 * is refused is not changed.
 */
export function openDataFolder(path: string, edges: LogEdges): OpenedLog {
  const folder = takeDataFolder(path);
  try {
    return openLog(folder, edges);
  } catch (thrown) {
    folder.release();
    throw thrown;
  }
}

function openLog(folder: DataFolder, edges: LogEdges): OpenedLog {
  const { clock, report, startThread } = edges;
  const notices: string[] = [];
  const tell = (notice: string | null): void => {
    if (notice === null) return;
    notices.push(notice);
    edges.tell(notice);
  };
  const path = folder.file(LOG_FILE);
  const markFile = folder.file(MARK_FILE);
  tell(makeOwnerOnly(folder.path));
  tell(checkLog(folder.path));
  // The mark is there before the log is: so an empty log without a mark has lost what it held.
  if (!existsSync(path)) createForOwner(markFile);
  createForOwner(path);
  let highWater: HighWater | null = null;
  const markOf = (db: Database): HighWater => (highWater ??= createHighWater(markFile, db, report));
  const db = openDatabase(path, {
    beforeRemoval: (opened, seq) => markOf(opened).lower(seq),
  });
  const mark = markOf(db);
  mark.catchUp();
  const log = createEventLog({ db, clock, onListenerError: report, startThread, highWater: mark });
  return {
    folder,
    db,
    log,
    notices,
    close: () => {
      db.close();
      mark.close();
      folder.release();
    },
  };
}

/**
 * Looks at a log without changing it, whoever has it open: what must be there, its pages (of a large log only with
 * `isThorough`), how far it went. Throws `log_damaged`; returns what to tell a person, or null.
 */
export function checkLog(folder: string, isThorough = false): string | null {
  const path = join(folder, LOG_FILE);
  if (existsSync(join(folder, UNFINISHED_FILE)))
    throw new Failure('log_damaged', `${folder} is a copy that was not finished`, {
      next: 'Remove it, and make it again: `interject backup` or `interject repair` with --out.',
    });
  // Read first: while another process writes, the log only grows beyond it.
  const mark = readHighWater(join(folder, MARK_FILE));
  if (!isLogWritten(path, mark)) return null;
  return readDatabase(path, (db) => {
    checkVersion(db, path);
    if (isThorough || statSync(path).size <= CHECKED_BYTES) checkPages(db, path, isThorough);
    return checkHighWater(db, mark, path);
  });
}

/** True if there is a log to look at. Throws `log_damaged` when there was one. */
function isLogWritten(path: string, mark: HighWaterMark | null): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) return true;
  const what = size === undefined ? 'is gone' : 'is empty';
  if (mark !== null && mark.seq > 0)
    throw damagedLog(`${path} ${what}, but ${String(mark.seq)} events were written. ${ACCEPT}`);
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0)
    throw damagedLog(`${path} ${what}, and what was written last still lies in ${path}-wal. ${ACCEPT}`);
  if (size === 0 && !existsSync(join(path, '..', MARK_FILE)))
    throw damagedLog(`${path} is empty: whatever it held is gone. ${ACCEPT}`);
  return false;
}

function checkPages(db: Database, path: string, isThorough: boolean): void {
  const found = String(db.pragma(isThorough ? 'integrity_check(1)' : 'quick_check(1)', { simple: true }));
  if (found !== 'ok') throw damagedLog(`${path} is damaged: ${found.replaceAll(/\s+/g, ' ')}`);
}
