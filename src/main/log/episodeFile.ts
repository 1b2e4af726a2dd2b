// A file of ended episodes: a SQLite database of its own with their events as they lie in the log, the long texts of these
// and a sum for each episode. It opens with any SQLite.
import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Failure } from '../../shared/failure.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import { syncFile } from './copyDatabase.ts';
import { databaseFailure, type Database } from './database.ts';
import { createForOwner, makeFolder } from './dataFolder.ts';
import { parseRow } from './eventReader.ts';
import { createLongTexts } from './longTexts.ts';
import { createProjections } from './projections.ts';
import { takeWords } from './searchIndex.ts';

const FORMAT = 'interject.archive';
const VERSION = '1';
const SCHEMA = `
  CREATE TABLE archive (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE episodes (id TEXT PRIMARY KEY, events INTEGER NOT NULL, sha256 TEXT NOT NULL, row TEXT NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    actor TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (stream, n)
  ) STRICT;
  CREATE TABLE texts (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO archive (name, value) VALUES ('format', '${FORMAT}'), ('version', '${VERSION}');
`;

/** A row of `events` as a list: seq, stream, n, at, kind, actor, body. */
type EventColumns = [number, string, number, number, string, string, string];
const EVENT_COLUMNS = 'seq, stream, n, at, kind, actor, body';
const INSERT_EVENT = `INSERT INTO events (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const INSERT_TEXT = 'INSERT OR IGNORE INTO texts (sha256, text) VALUES (?, ?)';

/**
 * Writes ended episodes to a new file at `path`. It has its name only once it was read back and compared with the log.
 * Throws `bad_input` where something is there or an episode has not ended, `data_unwritable`.
 */
export function writeEpisodeFile(db: Database, path: string, episodes: readonly string[]): void {
  if (existsSync(path))
    throw new Failure('bad_input', `there is a file ${path} already`, { next: 'Name another file.' });
  const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}`);
  try {
    makeFolder(dirname(path));
    rmSync(draft, { force: true });
    createForOwner(draft);
    fillFile(db, draft, episodes);
    syncFile(draft);
    reading(draft, (file) => {
      for (const { id, rows } of provenEpisodes(file, path))
        if (sumOfRows(rowsOfStream(db, id)) !== sumOfRows(rows))
          throw damagedFile(path, `the events of ${id} are not those of the log`);
    });
    renameSync(draft, path);
    if (process.platform !== 'win32') syncFile(dirname(path));
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw databaseFailure(thrown, path);
  }
}

function fillFile(db: Database, path: string, episodes: readonly string[]): void {
  const file = new Sqlite(path);
  try {
    file.exec(SCHEMA);
    const listed = db.prepare<[string], { row: string; status: string }>(
      'SELECT row, status FROM episodes WHERE id = ?',
    );
    const putEpisode = file.prepare('INSERT INTO episodes (id, events, sha256, row) VALUES (?, ?, ?, ?)');
    const fill = file.transaction(() => {
      for (const id of episodes) {
        const line = listed.get(id);
        if (line?.status !== 'ended') throw new Failure('bad_input', `${id} is no episode that has ended`);
        const rows = rowsOfStream(db, id);
        copyRows(db, file, rows, path);
        putEpisode.run(id, rows.length, sumOfRows(rows), line.row);
      }
    });
    fill();
  } finally {
    file.close();
  }
}

/**
 * Writes the episodes of a file back into the log, at the places that they had, in one transaction; returns their ids.
 * Throws `log_damaged` where the file is not what was written, `bad_input` for an episode that is there.
 */
export function bringBack(db: Database, path: string): string[] {
  const texts = createLongTexts(db);
  const loadText: typeof texts.loadText = (text) => texts.loadText(text);
  const projections = createProjections(db, loadText);
  const isThere = db.prepare('SELECT 1 FROM events WHERE stream = ?');
  const back = db.transaction((file: Database): string[] =>
    provenEpisodes(file, path).map(({ id, rows }) => {
      if (isThere.get(id) !== undefined) throw new Failure('bad_input', `there is an episode ${id} already`);
      copyRows(file, db, rows, path);
      const events = rows.map(([seq, stream, n, at, , actor, body]) =>
        parseRow({ seq, stream, n, at, actor, body }),
      );
      projections.writeStream(foldAll(id, events), events);
      takeWords(
        db,
        rows.map(([seq, , , , , , body]) => ({ seq, body })),
        loadText,
      );
      return id;
    }),
  );
  return reading(path, (file) => {
    try {
      db.pragma('synchronous = FULL');
      return back.immediate(file);
    } finally {
      db.pragma('synchronous = NORMAL');
    }
  });
}

function reading<T>(path: string, work: (file: Database) => T): T {
  let file: Database | null = null;
  try {
    file = new Sqlite(path, { readonly: true, fileMustExist: true });
    const value = file.prepare<[string], string>('SELECT value FROM archive WHERE name = ?').pluck();
    if (value.get('format') !== FORMAT || value.get('version') !== VERSION)
      throw damagedFile(path, 'it is no file of episodes of this version');
    return work(file);
  } catch (thrown) {
    throw databaseFailure(thrown, path);
  } finally {
    file?.close();
  }
}

/** The episodes of a file with their rows. Throws unless each is what its sum says, with every long text. */
function provenEpisodes(file: Database, path: string): { id: string; rows: EventColumns[] }[] {
  const episodes = file
    .prepare<[], { id: string; sha256: string }>('SELECT id, sha256 FROM episodes ORDER BY id')
    .all();
  return episodes.map(({ id, sha256 }) => {
    const rows = rowsOfStream(file, id);
    if (sumOfRows(rows) !== sha256)
      throw damagedFile(path, `the events of ${id} are not those that were written`);
    for (const text of textsOfRows(rows)) textOf(file, text, path);
    return { id, rows };
  });
}

/** Rows, and the long texts that they refer to. Call inside a transaction of `to`. */
function copyRows(from: Database, to: Database, rows: readonly EventColumns[], path: string): void {
  const putEvent = to.prepare(INSERT_EVENT);
  const putText = to.prepare(INSERT_TEXT);
  for (const row of rows) putEvent.run(row);
  for (const sha256 of textsOfRows(rows)) putText.run(sha256, textOf(from, sha256, path));
}

function textOf(db: Database, sha256: string, path: string): string {
  const text = db.prepare<[string], string>('SELECT text FROM texts WHERE sha256 = ?').pluck().get(sha256);
  if (text === undefined) throw damagedFile(path, `the long text ${sha256} is missing`);
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw damagedFile(path, `the long text ${sha256} is not what was stored`);
  return text;
}

const damagedFile = (path: string, what: string): Failure =>
  new Failure('log_damaged', `the file ${path} cannot be read: ${what}`, {
    next: 'Put a whole copy of the file in its place. The log is not affected.',
  });

function rowsOfStream(db: Database, stream: string): EventColumns[] {
  return db
    .prepare<[string], EventColumns>(`SELECT ${EVENT_COLUMNS} FROM events WHERE stream = +? ORDER BY n`)
    .raw()
    .all(stream);
}

function sumOfRows(rows: readonly EventColumns[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  return hash.digest('hex');
}

function textsOfRows(rows: readonly EventColumns[]): Set<string> {
  const found = new Set<string>();
  for (const [, , , , , , body] of rows)
    for (const match of body.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) found.add(match[1] ?? '');
  return found;
}
