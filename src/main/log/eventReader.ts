// Reading events back, parsed.
import type { Actor } from '../../shared/events/actor.ts';
import { damagedLog, Failure } from '../../shared/failure.ts';
import { KINDS, Recorded, type Kind, type LogEvent } from '../../shared/events/vocabulary.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { parseJson } from '../../shared/json.ts';
import type { Database } from './database.ts';

export type Reader = {
  read: (stream: string, after?: number, limit?: number) => Recorded[];
  /** Of the `span` events after `n`, those that may hold the words, case ignored: none that does is left out. */
  holding: (stream: string, after: number, span: number, words: string) => Recorded[];
  /** Events of a stream as they lie in the table, for who reads very many and writes them on. */
  rows: (stream: string) => StoredRow[];
  lastSeq: () => number;
  record: (stream: string) => EpisodeRecord;
  streams: () => string[];
  /** The ids of the streams whose name begins so. */
  streamsOf: (prefix: string) => string[];
};

/** Actor and body are JSON as it was stored. */
export type StoredRow = { seq: number; stream: string; n: number; at: number; actor: string; body: string };

/** With a plus before its sign, a value does not make SQLite plan the statement anew, which costs as much as a short read. */
export function createReader(db: Database): Reader {
  const select = db.prepare<[string, number, number], StoredRow>(
    'SELECT seq, stream, n, at, actor, body FROM events WHERE stream = +? AND n > +? ORDER BY n LIMIT ?',
  );
  // Two signs fold to ASCII letters in JavaScript and not in SQLite: what holds one is looked at by who asked.
  const held = db.prepare<[string, number, number, string], StoredRow>(
    `SELECT seq, stream, n, at, actor, body FROM events WHERE stream = +? AND n > +? AND n <= +?
     AND (instr(lower(body), ?) > 0 OR instr(body, char(0x212A)) > 0 OR instr(body, char(0x130)) > 0) ORDER BY n`,
  );
  // As lists of values, and without what is asked by: a quarter less time for who reads everything.
  const lean = db
    .prepare<[string], [number, number, number, string, string]>(
      'SELECT seq, n, at, actor, body FROM events WHERE stream = +? ORDER BY n',
    )
    .raw();
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM events');
  const streams = db.prepare<[], { stream: string }>('SELECT DISTINCT stream FROM events ORDER BY stream');
  const begin = db.prepare<[string, string], { stream: string }>(
    'SELECT DISTINCT stream FROM events WHERE stream >= ? AND stream < ? ORDER BY stream',
  );
  const read = (stream: string, after = 0, limit = -1): Recorded[] =>
    select.all(stream, after, limit).map(parseRow);
  return {
    read,
    holding: (stream, after, span, words) => {
      const needle = storedWords(words);
      return needle === null
        ? read(stream, after, span)
        : held.all(stream, after, after + span, needle).map(parseRow);
    },
    rows: (stream) =>
      lean.all(stream).map(([seq, n, at, actor, body]) => ({ seq, stream, n, at, actor, body })),
    lastSeq: () => last.get()?.seq ?? 0,
    record: (stream) => foldAll(stream, read(stream)),
    streams: () => streams.all().map(({ stream }) => stream),
    streamsOf: (prefix) => begin.all(prefix, `${prefix}\u{10FFFF}`).map(({ stream }) => stream),
  };
}

/** Words as a body holds them, in lower case; null if it may hold them in more than one way. */
function storedWords(words: string): string | null {
  const isPlain = /^[ -~]+$/.test(words);
  return isPlain ? JSON.stringify(words.toLowerCase()).slice(1, -1) : null;
}

/** A row as it was stored. Throws `log_damaged` naming the event when it is none. */
export function parseRow({ seq, stream, n, at, actor, body }: StoredRow): Recorded {
  try {
    return Recorded.parse({
      seq,
      stream,
      n,
      at,
      actor: JSON.parse(actor) as unknown,
      event: parseJson(body),
    });
  } catch (thrown) {
    throw damagedEvent({ stream, n }, thrown);
  }
}

const damagedEvent = ({ stream, n }: Pick<StoredRow, 'stream' | 'n'>, thrown: unknown): Failure =>
  damagedLog(`event ${String(n)} of ${stream} cannot be read: what is stored is no event`, thrown);

/** True if reading a row of a kind adds no field. */
const isUnchanged = (kind: Kind): boolean => !KINDS[kind].hasDefaults;

/**
 * A row as `read` gives it. What is unchanged is taken as it was parsed when it was written: parsing each again takes twice as long as all the rest of reading a hundred thousand episodes.
 */
export function recordedOf(row: StoredRow): Recorded {
  try {
    const event = parseJson(row.body) as LogEvent;
    if (!isUnchanged(event.kind)) return parseRow(row);
    const { seq, stream, n, at, actor } = row;
    return { seq, stream, n, at, actor: JSON.parse(actor) as Actor, event };
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : damagedEvent(row, thrown);
  }
}
