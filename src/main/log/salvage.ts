// Reads what can still be read of a damaged log into a new one. Only whole streams go over; of the others what can be read
// is handed out, and what is lost is counted.
import { createHash } from 'node:crypto';
import { damagedLog } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import { createMarks } from './sourceMarks.ts';
import { parseRow, type StoredRow } from './eventReader.ts';
import { rebuildProjections } from './rebuild.ts';

export type BrokenStream = {
  stream: string;
  readable: number;
  /** Events that cannot, as far as it is known that they were there. */
  lost: number;
  /** Long texts it refers to that cannot be read. */
  texts: number;
};
export type Salvage = {
  events: number;
  streams: number;
  /** Places of the old log that hold nothing readable, up to the last one known. */
  lost_places: number;
  broken: BrokenStream[];
};

type Stream = { readable: number; newest: number; texts: number };

/** Places asked for at once; where one cannot be read, the range is halved. */
const RANGE = 1_024;

/**
 * Fills `to`, a new and empty log, from `from`. `knownLast` is the last place the high-water mark names, 0 without one.
 * `keep` is handed every readable event of a stream that is not whole. Throws `log_damaged` when nothing can be read.
 */
export function salvage(
  from: Database,
  to: Database,
  knownLast: number,
  keep: (stream: string, row: StoredRow) => void,
): Salvage {
  const indexed = fromIndex(from);
  const last = Math.max(knownLast, indexed.last, attempt(() => maxSeq(from)) ?? 0);
  if (last === 0) throw damagedLog(`nothing of ${from.name} can be read by SQLite`);
  const insert = to.prepare(
    'INSERT INTO events (seq, stream, n, at, kind, actor, body) VALUES (@seq, @stream, @n, @at, @kind, @actor, @body)',
  );
  const streams = new Map<string, Stream>();
  const of = (name: string): Stream => {
    const known = streams.get(name) ?? { readable: 0, newest: 0, texts: 0 };
    streams.set(name, known);
    return known;
  };
  const texts = createTextCopy(from, to);
  let found = 0;
  const half = attempt(() => halfImported(from)) ?? new Set<string>();
  const work = to.transaction(() => {
    for (const row of readableRows(from, last)) {
      if (half.has(row.stream)) continue;
      const stream = of(row.stream);
      stream.newest = Math.max(stream.newest, row.n);
      const event = attempt(() => parseRow(row).event);
      if (event === null) continue;
      stream.texts += texts.missingOf(row.body);
      insert.run({ ...row, kind: event.kind });
      stream.readable += 1;
      found += 1;
    }
    for (const [name, newest] of indexed.streams)
      if (!half.has(name)) of(name).newest = Math.max(of(name).newest, newest);
    const broken = copyIncomplete(to, streams, keep);
    copyMarks(from, to);
    copyQueue(from, to);
    return broken;
  });
  const broken = work.immediate();
  rebuildProjections(to);
  const events = [...streams.values()].reduce((sum, { readable }) => sum + readable, 0);
  return {
    events: events - broken.reduce((sum, { readable }) => sum + readable, 0),
    streams: streams.size - broken.length,
    lost_places: Math.max(0, last - found),
    broken,
  };
}

type SalvageRow = StoredRow & { kind: string };

/** Rows by their place in the log; a page that cannot be read costs the rows on it. */
function* readableRows(db: Database, last: number): Generator<SalvageRow> {
  const select = attempt(() =>
    db.prepare<[number, number], SalvageRow>(
      'SELECT seq, stream, n, at, kind, actor, body FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq',
    ),
  );
  if (select === null) throw damagedLog(`the tables of ${db.name} cannot be read by SQLite`);
  const open: [number, number][] = [];
  for (let end = last; end > 0; end -= RANGE) open.push([Math.max(1, end - RANGE + 1), end]);
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range;
    const rows = attempt(() => select.all(from, to));
    if (rows !== null) yield* rows;
    else if (from < to) {
      const middle = Math.floor((from + to) / 2);
      open.push([middle + 1, to], [from, middle]);
    }
  }
}

/** Streams and their lengths, as the index still has them. */
function fromIndex(db: Database): { streams: Map<string, number>; last: number } {
  const streams = new Map<string, number>();
  let last = 0;
  attempt(() => {
    const rows = db.prepare<[], { stream: string; n: number; seq: number }>(
      'SELECT stream, n, seq FROM events INDEXED BY sqlite_autoindex_events_1 ORDER BY stream, n',
    );
    for (const { stream, n, seq } of rows.iterate()) {
      streams.set(stream, Math.max(streams.get(stream) ?? 0, n));
      last = Math.max(last, seq);
    }
  });
  return { streams, last };
}

/** Takes the streams that are not whole out of the new log. */
function copyIncomplete(
  to: Database,
  streams: ReadonlyMap<string, Stream>,
  keep: (stream: string, row: StoredRow) => void,
): BrokenStream[] {
  const rows = to.prepare<[string], StoredRow>('SELECT * FROM events WHERE stream = ? ORDER BY n');
  const remove = to.prepare('DELETE FROM events WHERE stream = ?');
  const broken: BrokenStream[] = [];
  for (const [stream, { readable, newest, texts }] of streams) {
    if (readable === newest && texts === 0) continue;
    for (const row of rows.iterate(stream)) keep(stream, row);
    remove.run(stream);
    broken.push({ stream, readable, lost: newest - readable, texts });
  }
  return broken.toSorted((a, b) => (a.stream < b.stream ? -1 : 1));
}

/** Long texts are copied when an event refers to them, and only when they are what their name says. */
function createTextCopy(from: Database, to: Database) {
  const insert = to.prepare('INSERT OR IGNORE INTO texts (sha256, text) VALUES (?, ?)');
  const known = new Map<string, boolean>();
  const copy = (sha256: string): boolean => {
    const row = attempt(() =>
      from.prepare<[string], { text: string }>('SELECT text FROM texts WHERE sha256 = ?').get(sha256),
    );
    const text = row?.text;
    if (text === undefined || createHash('sha256').update(text).digest('hex') !== sha256) return false;
    insert.run(sha256, text);
    return true;
  };
  return {
    /** How many texts that a body refers to cannot be read. */
    missingOf: (body: string): number => {
      let missing = 0;
      for (const [, sha256 = ''] of body.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) {
        const isThere = known.get(sha256) ?? copy(sha256);
        known.set(sha256, isThere);
        if (!isThere) missing += 1;
      }
      return missing;
    },
  };
}

/** Progress of sources outside the log: lost, they would only be taken in once more. */
function copyMarks(from: Database, to: Database): void {
  const marks = createMarks(to);
  const rows = attempt(() =>
    from.prepare<[], { name: string; value: number }>('SELECT name, value FROM marks').all(),
  );
  for (const mark of rows ?? []) marks.write(mark);
}

/** Episodes in the queue go on waiting. */
function copyQueue(from: Database, to: Database): void {
  const insert = to.prepare('INSERT INTO queued (place, id, opening) VALUES (@place, @id, @opening)');
  for (const row of attempt(() => from.prepare<[], object>('SELECT place, id, opening FROM queued').all()) ??
    [])
    insert.run(row);
}

const maxSeq = (db: Database): number =>
  (db.prepare('SELECT max(seq) AS seq FROM events').get() as { seq: number | null }).seq ?? 0;

const halfImported = (db: Database): Set<string> =>
  new Set(
    db
      .prepare<[], { stream: string }>('SELECT stream FROM half_imported')
      .all()
      .map(({ stream }) => stream),
  );

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
