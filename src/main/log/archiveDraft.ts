// A new archive file while it is written: under a name of its own, until it was read back and compared with the log.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, isDamagedLog } from '../../shared/failure.ts';
import {
  createArchive,
  damagedArchive,
  EVENT_COLUMNS,
  openArchive,
  rowsOfStream,
  sumOfRows,
  textsOfRows,
  type EventColumns,
} from './archiveFile.ts';
import { copyBeside } from './archiveBeside.ts';
import { syncFile } from './copyDatabase.ts';
import { databaseFailure, type Database } from './database.ts';
import { createForOwner, makeFolder } from './dataFolder.ts';
import { checkIntegrity } from './integrity.ts';
import type { StartThread } from './checkpoints.ts';

export type ArchiveDraft = {
  /** Copies some episodes; returns those that have ended and are in it now. */
  add(episodes: readonly string[]): string[];
  /** What was noted about its episodes in other streams: tags, late advice, reviews. */
  addBeside(): void;
  /** Reads back a few episodes from the file and compares them with the log: how many, 0 when all are. Throws when they differ. */
  check(): number;
  /** Looks at every page of the file that was read back. Throws where one is damaged. */
  checkPages(): Promise<void>;
  /** Gives the file that was read back its name. */
  seal(): void;
  /** Removes what was begun. */
  discard(): void;
};

/** Begins a file beside the place where it is to be. Throws `bad_input`, `data_unwritable`; what it returns does too. */
export function openDraft(db: Database, path: string, startThread?: StartThread): ArchiveDraft {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new Failure('bad_input', `there is a file ${path} already`, { next: 'Name another file.' });
  const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}`);
  const archive = tryWriting(path, () => {
    makeFolder(dirname(path));
    rmSync(draft, { force: true });
    try {
      createForOwner(draft);
      return createArchive(draft);
    } catch (thrown) {
      rmSync(draft, { force: true });
      throw thrown;
    }
  });
  const copy = createCopy(db, archive);
  const taken: string[] = [];
  let comparing: (() => number) | null = null;
  return {
    add: (episodes) => {
      const added = tryWriting(path, () => copy.add(episodes));
      taken.push(...added);
      return added;
    },
    addBeside: () => tryWriting(path, () => copy.beside(taken)),
    check: () =>
      tryWriting(path, () => {
        comparing ??= beginComparing(db, archive, draft);
        return comparing();
      }),
    checkPages: async () => {
      const found = await checkIntegrity(draft, startThread);
      if (found !== 'ok') throw damagedArchive(draft, found);
    },
    seal: () =>
      tryWriting(path, () => {
        renameSync(draft, path);
        if (process.platform !== 'win32') syncFile(dirname(path));
      }),
    discard: () => {
      if (archive.open) archive.close();
      rmSync(draft, { force: true });
    },
  };
}

/** Removes what a process that was killed left unproven in a folder of archives. */
export function removeDrafts(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (/^\..+\.\d+$/.test(name)) rmSync(join(folder, name), { force: true });
}

/** A full disk, or a folder that cannot be written to, is the file's. Damage is the log's, which it is read from. */
function tryWriting<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw isDamagedLog(thrown) ? thrown : databaseFailure(thrown, path);
  }
}

function createCopy(db: Database, archive: Database) {
  const putEvent = archive.prepare(`INSERT INTO events (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const putText = archive.prepare('INSERT OR IGNORE INTO texts (sha256, text) VALUES (?, ?)');
  const putEpisode = archive.prepare('INSERT INTO episodes (id, events, sha256, row) VALUES (?, ?, ?, ?)');
  const text = db.prepare<[string], { text: string }>('SELECT text FROM texts WHERE sha256 = ?');
  const listed = db.prepare<[string], { row: string; status: string }>(
    'SELECT row, status FROM episodes WHERE id = ?',
  );
  const put = (rows: readonly EventColumns[]): void => {
    for (const row of rows) putEvent.run(row);
    for (const sha256 of textsOfRows(rows)) {
      const found = text.get(sha256);
      if (found !== undefined) putText.run(sha256, found.text);
    }
  };
  return {
    add: archive.transaction((episodes: readonly string[]): string[] =>
      episodes.filter((id) => {
        const row = listed.get(id);
        const rows = row?.status === 'ended' ? rowsOfStream(db, id) : [];
        if (row === undefined || rows.length === 0) return false;
        put(rows);
        putEpisode.run(id, rows.length, sumOfRows(rows), row.row);
        return true;
      }),
    ),
    beside: archive.transaction((episodes: readonly string[]): void => copyBeside(db, episodes, put)),
  };
}

/** Episodes that one step compares. */
const COMPARED = 50;

/** Closes the file, and reads it through another connection. A step throws where it is not what the log holds. */
function beginComparing(db: Database, written: Database, path: string): () => number {
  written.close();
  syncFile(path);
  const archive = openArchive(path);
  const left = archive.prepare<[], { id: string; sha256: string }>('SELECT id, sha256 FROM episodes').all();
  const compare = (): number => {
    const some = left.splice(0, COMPARED);
    for (const { id, sha256 } of some) {
      const rows = rowsOfStream(archive, id);
      if (sumOfRows(rows) !== sha256 || sumOfRows(rowsOfStream(db, id)) !== sha256)
        throw damagedArchive(path, `the events of ${id} are not those of the log`);
      for (const text of textsOfRows(rows)) compareText(archive, path, text);
    }
    if (some.length === 0) archive.close();
    return some.length;
  };
  return () => {
    try {
      return compare();
    } catch (thrown) {
      archive.close();
      throw thrown;
    }
  };
}

function compareText(archive: Database, path: string, sha256: string): void {
  const row = archive
    .prepare<[string], { text: string }>('SELECT text FROM texts WHERE sha256 = ?')
    .get(sha256);
  if (row === undefined) throw damagedArchive(path, `the long text ${sha256} is missing`);
  if (createHash('sha256').update(row.text).digest('hex') !== sha256)
    throw damagedArchive(path, `the long text ${sha256} is not what was stored`);
}
