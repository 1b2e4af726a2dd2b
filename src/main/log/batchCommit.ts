// Commits what many live episodes of another process did meanwhile in one transaction, each record once.
import { foldBatch } from '../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import { LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { type Database, databaseFailure, isSqlite } from './database.ts';
import type { TimedEntry } from './eventLog.ts';
import type { HighWater } from './highWater.ts';
import type { LongTexts } from './longTexts.ts';
import type { Projections } from './projections.ts';
import type { SourceMark, SourceMarks } from './sourceMarks.ts';

export type EventBatch = readonly { stream: string; entries: readonly TimedEntry[] }[];
type CommittedEvent = { recorded: Recorded[]; record: EpisodeRecord };
type BatchCommit = (batch: EventBatch, mark: SourceMark) => CommittedEvent[];

type BatchCommitDependencies = {
  db: Database;
  clock: () => number;
  texts: LongTexts;
  projections: Projections;
  recordOf: (stream: string) => EpisodeRecord;
  marks: SourceMarks;
  highWater: HighWater;
};

const KNOWN_KINDS: ReadonlySet<string> = new Set(LogEvent.options.map(({ shape }) => shape.kind.value));

/** The events are trusted: who takes them in has parsed what they were made of. Only their kind is looked at. */
export function createBatchCommit(parts: BatchCommitDependencies): BatchCommit {
  const { db, clock, texts, projections, recordOf, marks, highWater } = parts;
  const put = createPutRows(db);
  const rowsOf = (stream: string, after: number, entries: readonly TimedEntry[]): NewEventRow[] =>
    entries.map(({ actor, event, at }, index) => {
      if (!KNOWN_KINDS.has(event.kind)) throw new Failure('bad_input', `no event is a ${event.kind}`);
      return {
        stream,
        n: after + 1 + index,
        at: Math.round(at ?? clock()),
        actor,
        event: texts.store(event),
      };
    });
  // An episode that begins is not there yet; were it, the table itself would refuse a second first event.
  const recordBefore = ({ stream, entries }: EventBatch[number]): EpisodeRecord =>
    entries[0]?.event.kind === 'episode.started' ? emptyRecord(stream) : recordOf(stream);
  const write = (batch: EventBatch, mark: SourceMark): CommittedEvent[] => {
    const all = batch.map((one) => ({ ...one, before: recordBefore(one) }));
    const recorded = put(all.flatMap(({ stream, entries, before }) => rowsOf(stream, before.n, entries)));
    let from = 0;
    const written = all.map(({ entries, before }) => {
      const own = recorded.slice(from, (from += entries.length));
      const record = foldBatch(before, own);
      projections.writeStream(record, own, before);
      return { recorded: own, record };
    });
    marks.write(mark);
    return written;
  };
  const transaction = db.transaction(write);
  return (batch, mark) => {
    try {
      const written = transaction.immediate(batch, mark);
      const last = written.at(-1)?.recorded.at(-1);
      if (last !== undefined) highWater.note(last, false);
      return written;
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    }
  };
}

// Writing many rows of events at once. Call inside a transaction.
type NewEventRow = Omit<Recorded, 'seq'>;
type PutRows = (rows: readonly NewEventRow[]) => Recorded[];

/** Rows of one statement: a statement for each costs twice as much. */
const ROWS_PER_INSERT = 16;
const insertEvents = (rows: number): string =>
  `INSERT INTO events (stream, n, at, kind, actor, body) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ')}`;

/** Writes rows in order and returns them with their numbers. Numbers of a statement's rows follow each other: only the last is told. */
function createPutRows(db: Database): PutRows {
  const one = db.prepare(insertEvents(1));
  const many = db.prepare(insertEvents(ROWS_PER_INSERT));
  return (rows) => {
    const written: Recorded[] = [];
    for (let from = 0; from < rows.length;) {
      const isFull = rows.length - from >= ROWS_PER_INSERT;
      const some = rows.slice(from, from + (isFull ? ROWS_PER_INSERT : 1));
      const values: (string | number)[] = [];
      for (const { stream, n, at, event, actor } of some) {
        values.push(stream, n, at, event.kind, JSON.stringify(actor), JSON.stringify(event));
      }
      const last = Number((isFull ? many : one).run(values).lastInsertRowid);
      some.forEach((row, index) => written.push({ seq: last - some.length + 1 + index, ...row }));
      from += some.length;
    }
    return written;
  };
}
