// Owns: committing an episode that happened elsewhere: whole, in one transaction, with the times it brought along.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { Entry, TimedEntry } from './eventLog.ts';
import { createPutRows } from './eventRows.ts';
import type { LongTexts } from './longTexts.ts';
import type { Projections } from './projections.ts';

type Parts = {
  db: Database;
  clock: () => number;
  texts: LongTexts;
  projections: Projections;
  /** Folded records that are kept; one of a stream that was not there yet is let go. */
  records: Map<string, EpisodeRecord>;
};
type Last = { recorded: Recorded; record: EpisodeRecord };

/** An episode that happened elsewhere, and what is noted of it in streams of their own. */
export type ImportedStream = {
  stream: string;
  entries: readonly TimedEntry[];
  beside?: readonly (Entry & { stream: string })[];
};

/** Rows of one stream, each with a time. */
function createPut({ db, texts }: Pick<Parts, 'db' | 'texts'>) {
  const putRows = createPutRows(db);
  return (stream: string, after: number, entries: readonly TimedEntry[], startAt: number): Recorded[] => {
    let at = startAt;
    return putRows(
      entries.map((entry, index) => {
        at = Math.round(entry.at ?? at);
        const { actor, event } = entry;
        return { stream, n: after + index + 1, at, actor, event: texts.store(event) };
      }),
    );
  };
}

export function createImportCommit({ db, clock, texts, projections, records }: Parts) {
  const put = createPut({ db, texts });
  const newest = db.prepare<[string], { n: number | null }>(
    'SELECT max(n) AS n FROM events WHERE stream = ?',
  );

  const writeOne = ({ stream, entries, beside = [] }: ImportedStream): Last | null => {
    if ((newest.get(stream)?.n ?? null) !== null) {
      throw new Failure('bad_input', `there is an episode ${stream} already`);
    }
    const startAt = entries.find((entry) => entry.at !== null)?.at ?? clock();
    const events = put(stream, 0, entries, startAt);
    const record = foldAll(stream, events);
    projections.writeStream(record, events);
    for (const { stream: other, ...entry } of beside) {
      const noted = put(other, newest.get(other)?.n ?? 0, [{ ...entry, at: null }], clock());
      projections.writeStream(foldAll(other, noted), noted);
    }
    const recorded = events.at(-1);
    return recorded === undefined ? null : { recorded, record };
  };
  const transaction = db.transaction((streams: readonly ImportedStream[]) =>
    streams.flatMap((stream) => writeOne(stream) ?? []),
  );
  return (streams: readonly ImportedStream[]): Last[] => {
    try {
      const committed = transaction.immediate(streams);
      for (const { stream } of streams) records.delete(stream);
      return committed;
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    }
  };
}
