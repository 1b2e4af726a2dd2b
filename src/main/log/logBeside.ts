// Reads the log of a data folder that another process has open: the same reading as the owner's, nothing is written, and
// what the owner commits is heard of a moment later.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { recordedOf } from './eventReader.ts';
import { databaseFailure, type Database } from './database.ts';
import { createEventLog, type EventLog } from './eventLog.ts';
import type { StoredRow } from './eventReader.ts';
import { createListeners } from './listeners.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { LOG_FILE } from './openLog.ts';
import { checkRuntime } from './runtime.ts';

export type LogBeside = {
  log: EventLog;
  db: Database;
  /** Tells listeners of everything that is committed by now. */
  catchUp: () => void;
  close: () => void;
};

/** How often it is looked whether the owner has committed something; looking reads one number. */
const LOOK_MS = 25;
/** Events that are told in one go. */
const TELL_MAX = 500;

/** Throws `not_found` where there is no log, `data_in_use` where the owner is of another version, `log_damaged`. */
export function openLogBeside(folder: string, onListenerError: (thrown: unknown) => void): LogBeside {
  checkRuntime();
  const db = openReadOnly(folder);
  try {
    checkSchema(db, folder);
    const log = createEventLog({ db, clock: Date.now, onListenerError, isReadOnly: true });
    const news = followLog(db, log, onListenerError);
    return {
      db,
      log: { ...log, subscribe: news.subscribe },
      catchUp: news.catchUp,
      close: () => {
        news.close();
        db.close();
      },
    };
  } catch (thrown) {
    db.close();
    throw databaseFailure(thrown, db.name);
  }
}

function openReadOnly(folder: string): Database {
  const path = join(folder, LOG_FILE);
  if (!existsSync(path))
    throw new Failure('not_found', `there is no log in ${folder}`, { next: 'Name its folder with --data.' });
  try {
    return new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  } catch (thrown) {
    throw databaseFailure(thrown, path);
  }
}

function checkSchema(db: Database, folder: string): void {
  if (db.pragma('user_version', { simple: true }) === SCHEMA_VERSION) return;
  throw new Failure('data_in_use', `an Interject of another version has the data folder ${folder} open`, {
    next: 'Close it, or use the command of its own version.',
  });
}

/** What the owner commits, in its order. */
function followLog(
  db: Database,
  log: Pick<EventLog, 'lastSeq' | 'record'>,
  onError: (thrown: unknown) => void,
) {
  const listeners = createListeners(onError);
  const select = db.prepare<[number, number], StoredRow>(
    'SELECT seq, stream, n, at, actor, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  let told = log.lastSeq();
  let version: unknown = null;
  let timer: ReturnType<typeof setInterval> | null = null;
  let heard = 0;
  const catchUp = (): void => {
    if (heard === 0) return;
    for (let rows = select.all(told, TELL_MAX); rows.length > 0; rows = select.all(told, TELL_MAX)) {
      // Of many events of an episode each is told with its newest record, which is folded once.
      const records = new Map<string, EpisodeRecord>();
      for (const row of rows) {
        told = row.seq;
        const record = records.get(row.stream) ?? log.record(row.stream);
        records.set(row.stream, record);
        listeners.tell(recordedOf(row), record);
      }
    }
  };
  const look = (): void => {
    try {
      const now = db.pragma('data_version', { simple: true });
      if (now === version) return;
      version = now;
      catchUp();
    } catch (thrown) {
      onError(thrown);
    }
  };
  const subscribe: EventLog['subscribe'] = (listener, stream) => {
    const undo = listeners.add(listener, stream);
    if (heard === 0) told = log.lastSeq();
    heard += 1;
    timer ??= setInterval(look, LOOK_MS);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      heard -= 1;
      undo();
      if (heard > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    };
  };
  return {
    subscribe,
    catchUp,
    close: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
