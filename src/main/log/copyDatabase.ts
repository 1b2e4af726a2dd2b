// A whole copy of a log, proven to be one: opened again, checked by SQLite, counted and hashed against the original.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Failure } from '../../shared/failure.ts';
import { databaseFailure, type Database } from './database.ts';
import { createForOwner, makeFolder } from './dataFolder.ts';
import { lastSeq } from './highWater.ts';

type LogSums = {
  events: number;
  last_seq: number;
  texts: number;
  /** Over every event in order: `[seq,stream,n,at,kind,actor,body]` as JSON, a line each. */
  sha256: string;
};

/** Sums over a log up to the event `until`. Throws what SQLite throws for pages it cannot read. */
function logSums(db: Database, until = lastSeq(db)): LogSums {
  const rows = db
    .prepare<[number], unknown[]>(
      'SELECT seq, stream, n, at, kind, actor, body FROM events WHERE seq <= ? ORDER BY seq',
    )
    .raw();
  const hash = createHash('sha256');
  let events = 0;
  for (const row of rows.iterate(until)) {
    hash.update(`${JSON.stringify(row)}\n`);
    events += 1;
  }
  const { texts } = db.prepare('SELECT count(*) AS texts FROM texts').get() as { texts: number };
  return { events, last_seq: until, texts, sha256: hash.digest('hex') };
}

/**
 * Writes a copy of an open log to `to`, in place of a copy that is there. Others may go on writing to the log meanwhile:
 * the copy is how it stood at one moment. Nothing stays at `to` that is not proven whole. Throws `log_damaged`,
 * `data_unwritable`.
 */
export function copyDatabase(db: Database, to: string): LogSums {
  const draft = join(dirname(to), `.${basename(to)}.${String(process.pid)}`);
  try {
    makeFolder(dirname(to));
    rmSync(draft, { force: true });
    createForOwner(draft);
    // It reads the tables row by row: a page that cannot be read ends it, where a copy of pages would take it along.
    db.prepare('VACUUM INTO ?').run(draft);
    syncFile(draft);
    const sums = checkCopy(db, draft);
    renameSync(draft, to);
    if (process.platform !== 'win32') syncFile(dirname(to));
    return sums;
  } catch (thrown) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
    throw databaseFailure(thrown, db.name);
  }
}

function checkCopy(db: Database, draft: string): LogSums {
  const copy = new Sqlite(draft, { readonly: true });
  try {
    const integrity = String(copy.pragma('integrity_check(1)', { simple: true }));
    if (integrity !== 'ok') throw copyMismatch(db.name, `SQLite says: ${integrity}`);
    const text = copy.prepare<[], { sha256: string; text: string }>('SELECT sha256, text FROM texts');
    for (const { sha256, text: stored } of text.iterate()) {
      if (createHash('sha256').update(stored).digest('hex') !== sha256)
        throw copyMismatch(db.name, `the long text ${sha256} is not what was stored`);
    }
    const sums = logSums(copy);
    if (logSums(db, sums.last_seq).sha256 !== sums.sha256)
      throw copyMismatch(db.name, 'its events differ; something was erased meanwhile');
    return sums;
  } finally {
    copy.close();
  }
}

const copyMismatch = (path: string, what: string): Failure =>
  new Failure('data_unwritable', `the copy of ${path} is not like it: ${what}`, {
    next: 'Try again. If it happens again, `interject doctor` looks at the log itself.',
  });

/** Waits until a file, or the names in a folder, are on disk. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
