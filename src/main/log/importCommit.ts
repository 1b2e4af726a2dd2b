// Committing episodes that happened elsewhere, with the times they brought along. One of a single piece is committed
// whole; of a longer one it is noted that it is not whole yet, until its last piece is there.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import { fold, foldAll } from '../../shared/episode/fold.ts';
import { Failure } from '../../shared/failure.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { LogEntry, TimedEntry } from './eventLog.ts';
import { removeHalf } from './halfImported.ts';
import type { HighWater } from './highWater.ts';
import { rowColumns, importPieces, type ImportPiece, type PieceEnd, type Rows } from './importPieces.ts';
import type { Projections } from './projections.ts';
import { createReader } from './eventReader.ts';

type ImportCommitDependencies = {
  db: Database;
  clock: () => number;
  projections: Projections;
  /** Folded records that are kept; one of a stream that was not there yet is let go. */
  records: Map<string, EpisodeRecord>;
  highWater: HighWater;
};

/** The last event of an episode that is whole now, and a record that knows of no other. */
export type ArrivedEvent = { recorded: Recorded; record: EpisodeRecord };

/** An episode that happened elsewhere, and what is noted of it in streams of their own. */
export type ImportedStream = {
  stream: string;
  entries: readonly TimedEntry[];
  beside?: readonly (LogEntry & { stream: string })[];
};

export type ImportCommit = {
  /**
   * Writes pieces in their order, in one transaction, until `isOver`: at least one. Returns how many, and the episodes
   * that are whole with them. Throws `bad_input` when an episode is there already; then nothing is written.
   */
  pieces(pieces: readonly ImportPiece[], isOver: () => boolean): { written: number; arrived: ArrivedEvent[] };
  /** Whole episodes: all of them in one transaction, or nothing. */
  streams(streams: readonly ImportedStream[]): ArrivedEvent[];
  /** Takes out what was written of an episode that does not become whole. */
  abandon(stream: string): void;
};

/** Rows of one statement: a statement for each costs twice as much. */
const SIZES = [64, 16, 4, 1] as const;
const insertRows = (rows: number): string => {
  const row = (n: number): string =>
    `(@stream, @n + ${String(n)}, ?, ?, ?, CAST(substr(@bodies, ?, ?) AS TEXT))`;
  return `INSERT INTO events (stream, n, at, kind, actor, body) VALUES ${Array.from({ length: rows }, (_, n) => row(n)).join(', ')}`;
};

/** Rows of one stream; returns the last one's place in the log. */
function createPut(db: Database) {
  const inserts = SIZES.map((size) => ({ size, insert: db.prepare(insertRows(size)) }));
  return (stream: string, from: number, rows: Rows): number => {
    const { words } = rows;
    const { at, kind, actor, length, bodies } = rowColumns(rows);
    let seq = 0;
    let start = 0;
    for (let row = 0; row < at.length;) {
      const { size, insert } = inserts.find(
        ({ size: some }) => some <= at.length - row,
      ) as (typeof inserts)[0];
      const values: unknown[] = [];
      const n = from + row;
      let end = start;
      for (const last = row + size; row < last; row += 1) {
        const bytes = length[row] ?? 0;
        values.push(at[row], words[kind[row] ?? 0], words[actor[row] ?? 0], end - start + 1, bytes);
        end += bytes;
      }
      const named = { stream, n, bodies: Buffer.from(bodies.buffer, bodies.byteOffset + start, end - start) };
      seq = Number(insert.run(values, named).lastInsertRowid);
      start = end;
    }
    return seq;
  };
}

export function createImportCommit({
  db,
  clock,
  projections,
  records,
  highWater,
}: ImportCommitDependencies): ImportCommit {
  const write = createWrite({ db, clock, projections });
  const some = db.transaction((pieces: readonly ImportPiece[], isOver: () => boolean) => {
    const arrived: ArrivedEvent[] = [];
    let written = 0;
    for (const piece of pieces) {
      const whole = write(piece);
      if (whole !== null) arrived.push(whole);
      written += 1;
      if (isOver()) break;
    }
    return { written, arrived };
  });
  const pieces: ImportCommit['pieces'] = (given, isOver) => {
    try {
      const done = some.immediate(given, isOver);
      for (const { stream } of given.slice(0, done.written)) records.delete(stream);
      const last = done.arrived.at(-1);
      if (last !== undefined) highWater.note(last.recorded, false);
      return done;
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    }
  };
  return {
    pieces,
    streams: (streams) =>
      pieces(
        streams.flatMap((stream) => [...importPieces(stream, clock())]),
        () => false,
      ).arrived,
    abandon: (stream) => {
      removeHalf(db, stream, (firstSeq) => highWater.lower(firstSeq));
      highWater.catchUp();
    },
  };
}

/** Writes one piece; the episode, when it is whole with it. Call inside a transaction. */
function createWrite({ db, clock, projections }: Omit<ImportCommitDependencies, 'records' | 'highWater'>) {
  const put = createPut(db);
  const read = createReader(db);
  const newest = db.prepare<[string], { n: number | null }>(
    'SELECT max(n) AS n FROM events WHERE stream = +?',
  );
  const keepText = db.prepare('INSERT OR IGNORE INTO texts (sha256, text) VALUES (?, ?)');
  const open = db.prepare('INSERT INTO half_imported (stream) VALUES (?)');
  const close = db.prepare('DELETE FROM half_imported WHERE stream = ?');

  const note = ({ stream, ...entry }: PieceEnd['beside'][number]): void => {
    const from = (newest.get(stream)?.n ?? 0) + 1;
    const at = clock();
    for (const { rows } of importPieces({ stream, entries: [{ ...entry, at }] }, at)) {
      const recorded = { seq: put(stream, from, rows), stream, n: from, at, ...entry };
      projections.writeStream(foldAll(stream, [recorded]), [recorded]);
    }
  };
  const finish = (stream: string, seq: number, { row, imported, last, beside }: PieceEnd): ArrivedEvent => {
    if (row === null) {
      const events = read.read(stream);
      projections.writeStream(foldAll(stream, events), events);
    } else projections.writeImported({ ...row, id: stream, seq }, imported);
    for (const one of beside) note(one);
    const recorded = { seq, stream, ...last };
    return { recorded, record: fold(emptyRecord(stream), recorded) };
  };
  return ({ stream, from, rows, texts, end }: ImportPiece): ArrivedEvent | null => {
    if ((newest.get(stream)?.n ?? 0) !== from - 1)
      throw new Failure('bad_input', `there is an episode ${stream} already`);
    for (const text of texts) keepText.run(text);
    const seq = put(stream, from, rows);
    if (end === null) {
      if (from === 1) open.run(stream);
      return null;
    }
    if (from > 1) close.run(stream);
    return finish(stream, seq, end);
  };
}
