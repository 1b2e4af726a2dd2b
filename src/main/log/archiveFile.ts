// An archive file: a SQLite database of its own with the events of some episodes as they lay in the log, their long texts,
// and a copy of what was noted about them elsewhere. It opens with any SQLite.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { errorMessage, Failure } from '../../shared/failure.ts';
import type { Database } from './database.ts';

export const ARCHIVE_FORMAT = 'interject.archive';
const ARCHIVE_VERSION = '1';

/** A row of `events` as a list: seq, stream, n, at, kind, actor, body. */
export type EventColumns = [number, string, number, number, string, string, string];
export const EVENT_COLUMNS = 'seq, stream, n, at, kind, actor, body';

const SCHEMA = `
  CREATE TABLE archive (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE episodes (id TEXT PRIMARY KEY, events INTEGER NOT NULL, sha256 TEXT NOT NULL, row TEXT NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    actor TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (stream, n)
  ) STRICT;
  CREATE TABLE texts (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** An empty archive at a path where no file is yet. Nothing of it is durable before `sealArchive`. */
export function createArchive(path: string): Database {
  const db = new Sqlite(path);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(SCHEMA);
  const note = db.prepare('INSERT INTO archive (name, value) VALUES (?, ?)');
  note.run('format', ARCHIVE_FORMAT);
  note.run('version', ARCHIVE_VERSION);
  return db;
}

/** Opens an archive to read it. Throws a failure that names the file and what can be done. */
export function openArchive(path: string): Database {
  if (!existsSync(path)) throw missingArchive(path);
  let db: Database | null = null;
  try {
    db = new Sqlite(path, { readonly: true, fileMustExist: true });
    const value = db.prepare<[string], { value: string }>('SELECT value FROM archive WHERE name = ?');
    const [format, version] = [value.get('format')?.value, value.get('version')?.value];
    if (format !== ARCHIVE_FORMAT) throw damagedArchive(path, 'it is no archive of Interject');
    if (version === ARCHIVE_VERSION) return db;
  } catch (thrown) {
    db?.close();
    throw thrown instanceof Failure ? thrown : damagedArchive(path, errorMessage(thrown), thrown);
  }
  db.close();
  throw new Failure('data_corrupt', `the archive ${path} was written by a newer version of Interject`, {
    next: 'Start the newer version to read it.',
  });
}

export const missingArchive = (path: string): Failure =>
  new Failure('not_found', `the archive ${path} is not there`, {
    next: 'Put the file back to that place, or into the folder "archives" of the data folder. The rest of the log is not affected.',
  });

export const foreignArchive = (path: string, episode: string): Failure =>
  new Failure(
    'not_found',
    `the archive ${path} does not hold ${episode}: it is another folder’s, or another archive of that name`,
    {
      next: 'Put the file that was written for this folder in its place. The rest of the log is not affected.',
    },
  );

export const damagedArchive = (path: string, what: string, cause?: unknown): Failure =>
  new Failure('log_damaged', `the archive ${path} cannot be read: ${what}`, {
    cause,
    next: 'Put a whole copy of the file in its place, from a backup. The rest of the log is not affected.',
  });

/** The rows of a stream in their order, and the hash that says they are these. */
export function rowsOfStream(db: Database, stream: string): EventColumns[] {
  return db
    .prepare<[string], EventColumns>(`SELECT ${EVENT_COLUMNS} FROM events WHERE stream = +? ORDER BY n`)
    .raw()
    .all(stream);
}

export function sumOfRows(rows: readonly EventColumns[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  return hash.digest('hex');
}

/** The long texts that rows refer to. */
export function textsOfRows(rows: readonly EventColumns[]): Set<string> {
  const found = new Set<string>();
  for (const [, , , , , , body] of rows)
    for (const match of body.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) found.add(match[1] ?? '');
  return found;
}
