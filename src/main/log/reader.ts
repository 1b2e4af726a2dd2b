// Owns: reading events back: upcast, then parsed, whatever version wrote them.
import { upcast } from '../../shared/events/upcast.ts';
import { Recorded } from '../../shared/events/vocabulary.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Database } from './database.ts';

export type Reader = {
  /** Events of a stream after `n`, at most `limit`. */
  read: (stream: string, after?: number, limit?: number) => Recorded[];
  lastSeq: () => number;
  record: (stream: string) => EpisodeRecord;
  /** The ids of every stream there is. */
  streams: () => string[];
  /** The ids of the streams whose name begins so. */
  streamsOf: (prefix: string) => string[];
};

type Row = { seq: number; stream: string; n: number; at: number; actor: string; body: string };

export function createReader(db: Database): Reader {
  const select = db.prepare<[string, number, number], Row>(
    'SELECT seq, stream, n, at, actor, body FROM events WHERE stream = ? AND n > ? ORDER BY n LIMIT ?',
  );
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM events');
  const streams = db.prepare<[], { stream: string }>('SELECT DISTINCT stream FROM events ORDER BY stream');
  const begin = db.prepare<[string, string], { stream: string }>(
    'SELECT DISTINCT stream FROM events WHERE stream >= ? AND stream < ? ORDER BY stream',
  );
  const read = (stream: string, after = 0, limit = -1): Recorded[] =>
    select.all(stream, after, limit).map(parseRow);
  return {
    read,
    lastSeq: () => last.get()?.seq ?? 0,
    record: (stream) => foldAll(stream, read(stream)),
    streams: () => streams.all().map(({ stream }) => stream),
    streamsOf: (prefix) => begin.all(prefix, `${prefix}\u{10FFFF}`).map(({ stream }) => stream),
  };
}

function parseRow({ seq, stream, n, at, actor, body }: Row): Recorded {
  const event = upcast(JSON.parse(body) as Record<string, unknown>);
  return Recorded.parse({ seq, stream, n, at, actor: JSON.parse(actor) as unknown, event });
}
