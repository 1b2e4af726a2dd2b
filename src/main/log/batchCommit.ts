// Commits what many live episodes of another process did meanwhile in one transaction, each record once.
import { LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import { foldBatch } from '../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { TimedEntry } from './eventLog.ts';
import { createPutRows, type NewEventRow } from './eventRows.ts';
import type { HighWater } from './highWater.ts';
import type { LongTexts } from './longTexts.ts';
import type { SourceMark, SourceMarks } from './sourceMarks.ts';
import type { Projections } from './projections.ts';

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
