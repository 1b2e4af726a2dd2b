// Moves ended episodes out of the log into an archive file, and back. An episode is taken out only once the file was read
// back and compared; a process that ends at any moment leaves it in the log, in a proven file, or in both.
import type { Actor } from '../../shared/events/actor.ts';
import { archiveStream } from '../../shared/events/archive.ts';
import type { LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import { emptyRecord } from '../../shared/episode/record.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import { Failure } from '../../shared/failure.ts';
import { parseJson } from '../../shared/json.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { damagedArchive, EVENT_COLUMNS, rowsOfStream, sumOfRows, textsOfRows } from './archiveFile.ts';
import { openDraft, type ArchiveDraft } from './archiveDraft.ts';
import { dropUnusedTexts } from './archiveTexts.ts';
import type { ArchiveFiles } from './archived.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { StartThread } from './checkpoints.ts';
import { createPutRows } from './eventRows.ts';
import { parseRow } from './eventReader.ts';
import type { LongTexts } from './longTexts.ts';
import type { HighWater } from './highWater.ts';
import type { Projections } from './projections.ts';
import { forgetWords, takeWords } from './searchIndex.ts';

export type Archiver = {
  /** Those of the episodes that may be archived: ended, and not archived yet. */
  ready(episodes: readonly string[]): string[];
  /** What the episodes take in the log, from a sample of them. */
  bytes(episodes: readonly string[]): number;
  draft(path: string): ArchiveDraft;
  /** Takes episodes of a sealed file out of the log, in one transaction. */
  remove(path: string, episodes: readonly string[], actor: Actor): void;
  /** Drops long texts that only episodes of this file referred to; a step at a time, false when it is done. */
  dropTexts(path: string): () => boolean;
  /** Writes episodes back into the log, in one transaction. Throws `not_found`, `log_damaged`. */
  bringBack(episodes: readonly string[], actor: Actor): void;
  /** Gives the free space of the log back to the disk. Everything waits for that. */
  compact(): void;
};

type ArchiverDependencies = {
  db: Database;
  clock: () => number;
  files: ArchiveFiles;
  projections: Projections;
  highWater: HighWater;
  texts: Pick<LongTexts, 'loadText'>;
  /** Folded records that are kept in memory. */
  forget: (episode: string) => void;
  startThread?: StartThread | undefined;
};

/** So many episodes tell what the rest takes. */
const SAMPLE = 100;
/** What SQLite keeps of a row beside its body: its place in the index, kind, actor, numbers. */
const ROW_BYTES = 150;

export function createArchiver(parts: ArchiverDependencies): Archiver {
  const { db } = parts;
  const { archived } = parts.projections;
  const isEnded = db.prepare<[string], { status: string }>('SELECT status FROM episodes WHERE id = ?');
  const sizeOf = db.prepare<[string], { bytes: number | null }>(
    `SELECT sum(octet_length(body) + ${String(ROW_BYTES)}) AS bytes FROM events WHERE stream = +?`,
  );
  return {
    ready: (episodes) =>
      episodes.filter((id) => isEnded.get(id)?.status === 'ended' && archived.find(id) === null),
    bytes: (episodes) => {
      const step = Math.max(1, Math.floor(episodes.length / SAMPLE));
      const sample = episodes.filter((_, index) => index % step === 0);
      const bytes = sample.reduce((sum, id) => sum + (sizeOf.get(id)?.bytes ?? 0), 0);
      return sample.length === 0 ? 0 : Math.round((bytes / sample.length) * episodes.length);
    },
    draft: (path) => openDraft(db, path, parts.startThread),
    remove: createRemove(parts),
    dropTexts: (path) => dropUnusedTexts(db, parts.files.open(path)),
    bringBack: createBringBack(parts),
    compact: () => {
      db.exec('VACUUM');
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

function createRemove({ db, clock, files, projections, highWater, forget }: ArchiverDependencies) {
  const put = createPutRows(db);
  const newest = db.prepare<[string], { n: number | null }>(
    'SELECT max(n) AS n FROM events WHERE stream = +?',
  );
  const listed = db.prepare<[string], { row: string }>('SELECT row FROM episodes WHERE id = ?');
  const importedFrom = db.prepare<[string], { sha256: string; source_index: number }>(
    'SELECT sha256, source_index FROM imported WHERE episode = ?',
  );
  const drop = db.prepare('DELETE FROM events WHERE stream = ?');
  const move = (path: string, episode: string, sum: string, actor: Actor): Recorded => {
    const rows = rowsOfStream(db, episode);
    if (sumOfRows(rows) !== sum) throw damagedArchive(path, `${episode} has changed since it was archived`);
    const kinds = rows.map(([, , , , kind]) => kind);
    const event: LogEvent = {
      kind: 'episode.archived',
      episode,
      file: files.nameOf(path),
      events: rows.length,
      sha256: sum,
      ended_seq: rows[kinds.lastIndexOf('episode.ended')]?.[0] ?? null,
      is_erased: kinds.lastIndexOf('episode.erased') > kinds.lastIndexOf('episode.ended'),
      row: parseJson(listed.get(episode)?.row ?? '{}') as JsonObject,
      imported: importedFrom.all(episode),
    };
    forgetWords(
      db,
      rows.map(([seq]) => seq),
    );
    const stream = archiveStream(episode);
    // Before the others go: the numbers of the newest would be given to what comes next, and they could not come back.
    const [recorded] = put([{ stream, n: (newest.get(stream)?.n ?? 0) + 1, at: clock(), actor, event }]);
    if (recorded === undefined) throw new Error('an event was put and has no number');
    drop.run(episode);
    projections.forget(episode);
    projections.write(emptyRecord(stream), recorded);
    return recorded;
  };
  const all = db.transaction(
    (path: string, episodes: readonly string[], actor: Actor): Recorded | undefined => {
      const sum = files
        .open(path)
        .prepare<[string], { sha256: string }>('SELECT sha256 FROM episodes WHERE id = ?');
      let last: Recorded | undefined;
      for (const episode of episodes) {
        const known = sum.get(episode);
        if (known !== undefined) last = move(path, episode, known.sha256, actor);
      }
      return last;
    },
  );
  return (path: string, episodes: readonly string[], actor: Actor): void => {
    const last = durably(db, () => all.immediate(path, episodes, actor));
    if (last !== undefined) highWater.note(last, true);
    for (const episode of episodes) forget(episode);
  };
}

function createBringBack(parts: ArchiverDependencies) {
  const { db, clock, files, projections, highWater, forget, texts } = parts;
  const { archived } = projections;
  const put = createPutRows(db);
  const newest = db.prepare<[string], { n: number | null }>(
    'SELECT max(n) AS n FROM events WHERE stream = +?',
  );
  const insert = db.prepare(`INSERT INTO events (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const keepText = db.prepare('INSERT OR IGNORE INTO texts (sha256, text) VALUES (?, ?)');
  const move = (episode: string, actor: Actor): Recorded => {
    const path = files.path(episode);
    const known = archived.find(episode);
    if (path === null || known === null) throw new Failure('not_found', `${episode} is not archived`);
    // Proves the rows.
    files.reader(episode);
    const archive = files.open(path);
    const rows = rowsOfStream(archive, episode);
    for (const row of rows) insert.run(row);
    const text = archive.prepare<[string], { text: string }>('SELECT text FROM texts WHERE sha256 = ?');
    for (const sha256 of textsOfRows(rows)) {
      const found = text.get(sha256);
      if (found === undefined) throw damagedArchive(path, `the long text ${sha256} is missing`);
      keepText.run(sha256, found.text);
    }
    const stream = archiveStream(episode);
    const event: LogEvent = { kind: 'episode.brought_back', episode, file: known.file };
    const [recorded] = put([{ stream, n: (newest.get(stream)?.n ?? 0) + 1, at: clock(), actor, event }]);
    if (recorded === undefined) throw new Error('an event was put and has no number');
    projections.write(emptyRecord(stream), recorded);
    const events = rows.map(([seq, own, n, at, , by, body]) =>
      parseRow({ seq, stream: own, n, at, actor: by, body }),
    );
    projections.writeStream(foldAll(episode, events), events);
    takeWords(
      db,
      rows.map(([seq, , , , , , body]) => ({ seq, body })),
      (text) => texts.loadText(text),
    );
    return recorded;
  };
  const all = db.transaction((episodes: readonly string[], actor: Actor): Recorded | undefined =>
    episodes.map((episode) => move(episode, actor)).at(-1),
  );
  return (episodes: readonly string[], actor: Actor): void => {
    const last = durably(db, () => all.immediate(episodes, actor));
    if (last !== undefined) highWater.note(last, true);
    for (const episode of episodes) forget(episode);
  };
}

/** On disk when it returns. */
function durably<T>(db: Database, work: () => T): T {
  try {
    db.pragma('synchronous = FULL');
    return work();
  } catch (thrown) {
    throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
  } finally {
    db.pragma('synchronous = NORMAL');
  }
}
