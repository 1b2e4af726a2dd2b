// Which episodes lie in archive files, and reading them from there: an archived episode opens as any other does.
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import {
  damagedArchive,
  foreignArchive,
  missingArchive,
  openArchive,
  rowsOfStream,
  sumOfRows,
} from './archiveFile.ts';
import type { Database } from './database.ts';
import { createReader, type Reader } from './eventReader.ts';

/** The folder of a data folder that archives are written to, and looked for in. */
export const ARCHIVES = 'archives';

export type ArchivedEpisode = { file: string; events: number; sha256: string };
export type Archived = {
  /** Call inside the event's transaction. */
  write(event: EventOf<'episode.archived'> | EventOf<'episode.brought_back'>): void;
  find(episode: string): ArchivedEpisode | null;
  count(): number;
};

/** Made where it is missing: an older log has no archives, and is not to be written anew for that. */
export function createArchived(db: Database): Archived {
  db.exec(`CREATE TABLE IF NOT EXISTS archived (
    episode TEXT PRIMARY KEY, file TEXT NOT NULL, events INTEGER NOT NULL, sha256 TEXT NOT NULL,
    ended_seq INTEGER, is_erased INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`);
  const upsert = db.prepare(
    `INSERT OR REPLACE INTO archived (episode, file, events, sha256, ended_seq, is_erased) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM archived WHERE episode = ?');
  const find = db.prepare<[string], ArchivedEpisode>(
    'SELECT file, events, sha256 FROM archived WHERE episode = +?',
  );
  const count = db.prepare<[], { total: number }>('SELECT count(*) AS total FROM archived');
  return {
    write: (event) => {
      if (event.kind === 'episode.brought_back') return void remove.run(event.episode);
      const { episode, file, events, sha256, ended_seq: endedSeq, is_erased: isErased } = event;
      upsert.run(episode, file, events, sha256, endedSeq, isErased ? 1 : 0);
    },
    find: (episode) => find.get(episode) ?? null,
    count: () => count.get()?.total ?? 0,
  };
}

export type ArchiveFiles = {
  /** Where an episode's archive is looked for; null for one that is not archived. */
  path(episode: string): string | null;
  /** Ids of the archived episodes; of those in one file, by its name in the log. */
  episodes(file?: string): string[];
  /** The files that episodes lie in, and how many in each. */
  files(): { file: string; path: string; episodes: number }[];
  /** Where a file is looked for, by its name in the log. */
  pathOf(file: string): string;
  /** Whether the file is there; true for an episode that is not archived. */
  isThere(episode: string): boolean;
  /** Reads an archived episode; null for one that is not. Throws what names the file and what can be done. */
  reader(episode: string): Reader | null;
  /** A long text that an archive holds; null where none that is there does. */
  text(sha256: string): string | null;
  /** How the log names a file. */
  nameOf(path: string): string;
  /** The archive's database, opened to read. The caller does not close it. */
  open(path: string): Database;
  /** Removes a file that no episode lies in any more. */
  remove(path: string): void;
  /** Lets go of every file, so that it can be moved. */
  close(): void;
};

export function createArchiveFiles(db: Database, archived: Archived): ArchiveFiles {
  const { pathOf, nameOf } = placesIn(dirname(db.name));
  const opened = createOpenFiles();
  const files = db.prepare<[], { file: string; episodes: number }>(
    'SELECT file, count(*) AS episodes FROM archived GROUP BY file ORDER BY file',
  );
  const ids = db.prepare<[string | null], { episode: string }>(
    'SELECT episode FROM archived WHERE file = coalesce(?, file) ORDER BY episode',
  );
  const path = (episode: string): string | null => {
    const found = archived.find(episode);
    return found === null ? null : pathOf(found.file);
  };
  return {
    path,
    nameOf,
    pathOf,
    episodes: (file) => ids.all(file ?? null).map(({ episode }) => episode),
    files: () => files.all().map(({ file, episodes }) => ({ file, path: pathOf(file), episodes })),
    isThere: (episode) => {
      const at = path(episode);
      return at === null || existsSync(at);
    },
    reader: (episode) => {
      const found = archived.find(episode);
      if (found === null) return null;
      const at = pathOf(found.file);
      if (!existsSync(at)) throw missingArchive(at);
      const archive = opened.get(at);
      if (!archive.proven.has(episode)) {
        prove(archive.db, at, episode, found);
        archive.proven.add(episode);
      }
      return archive.reader;
    },
    text: (sha256) => {
      const paths = files.all().map(({ file }) => pathOf(file));
      for (const at of paths.toSorted((a, b) => Number(opened.isOpen(b)) - Number(opened.isOpen(a)))) {
        if (!existsSync(at)) continue;
        const row = opened
          .get(at)
          .db.prepare<[string], { text: string }>('SELECT text FROM texts WHERE sha256 = ?')
          .get(sha256);
        if (row !== undefined) return row.text;
      }
      return null;
    },
    open: (at) => opened.get(at).db,
    remove: (at) => {
      opened.letGo(at);
      rmSync(at, { force: true });
    },
    close: () => opened.close(),
  };
}

/** How files are named in the log of a folder, and where each is looked for. */
export const placesIn = (folder: string) => ({
  pathOf: (file: string): string => {
    const path = isAbsolute(file) ? file : join(folder, file);
    const moved = join(folder, ARCHIVES, basename(file));
    return !existsSync(path) && existsSync(moved) ? moved : path;
  },
  nameOf: (path: string): string => {
    const within = relative(folder, path);
    return within.startsWith('..') || isAbsolute(within) ? path : within;
  },
});

type OpenedArchive = { db: Database; reader: Reader; proven: Set<string> };
/** Files that are kept open. */
const OPEN_MAX = 8;

/** Opens a file once; of many, those that were opened last stay open. */
function createOpenFiles() {
  const opened = new Map<string, OpenedArchive>();
  const letGo = (path: string): void => {
    opened.get(path)?.db.close();
    opened.delete(path);
  };
  return {
    get: (path: string): OpenedArchive => {
      const known = opened.get(path);
      if (known !== undefined && existsSync(path)) return known;
      letGo(path);
      const archive = openArchive(path);
      const made = { db: archive, reader: createReader(archive), proven: new Set<string>() };
      for (const old of [...opened.keys()].slice(0, Math.max(0, opened.size - OPEN_MAX + 1))) letGo(old);
      opened.set(path, made);
      return made;
    },
    isOpen: (path: string): boolean => opened.has(path),
    letGo,
    close: (): void => {
      for (const path of opened.keys()) letGo(path);
    },
  };
}

/** Throws unless the file holds the very rows that were taken out of the log. */
export function prove(
  db: Database,
  path: string,
  episode: string,
  { events, sha256 }: ArchivedEpisode,
): void {
  try {
    const rows = rowsOfStream(db, episode);
    if (rows.length === events && sumOfRows(rows) === sha256) return;
    if (rows.length === 0) throw foreignArchive(path, episode);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw damagedArchive(path, `the events of ${episode} are broken`, thrown);
  }
  throw damagedArchive(path, `the events of ${episode} are not those that were archived`);
}

/** Refuses to write to an archived episode. */
export function checkNotArchived(archived: Pick<Archived, 'find'>, stream: string): void {
  const found = archived.find(stream);
  if (found === null) return;
  throw new Failure('bad_input', `the episode ${stream} is archived in ${found.file}`, {
    next: 'Bring it back first, with `interject unarchive`.',
  });
}

/** Reads from the log, and what is not there from the archives. */
export function readThrough(reader: Reader, files: ArchiveFiles): Reader {
  const from = (stream: string): Reader => files.reader(stream) ?? reader;
  return {
    ...reader,
    read: (stream, after, limit) => {
      const rows = reader.read(stream, after, limit);
      return rows.length > 0 || limit === 0 ? rows : from(stream).read(stream, after, limit);
    },
    holding: (stream, after, span, words) => from(stream).holding(stream, after, span, words),
    rows: (stream) => {
      const rows = reader.rows(stream);
      return rows.length > 0 ? rows : from(stream).rows(stream);
    },
    record: (stream) => {
      const record = reader.record(stream);
      return record.n > 0 ? record : from(stream).record(stream);
    },
  };
}
