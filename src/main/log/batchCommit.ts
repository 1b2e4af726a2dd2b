// Owns: committing what many live episodes of another process did meanwhile: one transaction, each record folded and
// each projection written once per batch. Lists would otherwise be copied, and rows written, once per event.
import { LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import { foldBatch } from '../../shared/episode/fold.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { TimedEntry } from './eventLog.ts';
import type { LongTexts } from './longTexts.ts';
import type { Mark, Marks } from './marks.ts';
import type { Projections } from './projections.ts';

export type Batch = readonly { stream: string; entries: readonly TimedEntry[] }[];
export type Written = { recorded: Recorded[]; record: EpisodeRecord };
export type BatchCommit = (batch: Batch, mark: Mark) => Written[];

type Parts = {
  db: Database;
  clock: () => number;
  texts: LongTexts;
  projections: Projections;
  recordOf: (stream: string) => EpisodeRecord;
  marks: Marks;
};

export function createBatchCommit({ db, clock, texts, projections, recordOf, marks }: Parts): BatchCommit {
  const insert = db.prepare(
    'INSERT INTO events (stream, n, at, kind, actor, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const writeOne = (stream: string, n: number, { actor, event, at: given }: TimedEntry): Recorded => {
    const stored = texts.store(LogEvent.parse(event));
    const at = Math.round(given ?? clock());
    const body = JSON.stringify(stored);
    const { lastInsertRowid } = insert.run(stream, n, at, stored.kind, JSON.stringify(actor), body);
    return { seq: Number(lastInsertRowid), stream, n, at, actor, event: stored };
  };
  const write = (batch: Batch, mark: Mark): Written[] => {
    const written = batch.map(({ stream, entries }) => {
      const before = recordOf(stream);
      const recorded = entries.map((entry, i) => writeOne(stream, before.n + 1 + i, entry));
      const record = foldBatch(before, recorded);
      projections.writeStream(record, recorded);
      return { recorded, record };
    });
    marks.write(mark);
    return written;
  };
  const transaction = db.transaction(write);
  return (batch, mark) => {
    try {
      return transaction.immediate(batch, mark);
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    }
  };
}
