// The append-only log. An event is committed before anyone hears of it; what is not in the log did not happen.
import { fold, foldBatch } from '../../shared/episode/fold.ts';
import { type EpisodeRecord, emptyRecord } from '../../shared/episode/record.ts';
import type { Actor } from '../../shared/events/actor.ts';
import { KINDS, LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { CoverElsewhere } from '../../shared/redact/ahead.ts';
import { createCover, type Cover } from '../../shared/redact/cover.ts';
import { createCheckpoints, type StartThread } from './checkpoints.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import { eraseTexts, scrub, type EraseResult } from './erase.ts';
import { createReader, type StoredRow } from './eventReader.ts';
import { NO_HIGH_WATER, type HighWater } from './highWater.ts';
import { type ImportedStream, createImporting, type ImportQueue } from './importQueue.ts';
import { COVER, runLarge, runOnThread, type RunJob } from './largeThread.ts';
import { createLongTexts, type LongTexts } from './longTexts.ts';
import { createProjections, type FoldedEvent, type Projections } from './projections.ts';
import { createDequeue, createQueuedEpisodes, type QueuedEpisodes } from './queuedEpisodes.ts';
import { clearSearch } from './searchIndex.ts';
import { createMarks, type SourceMark, type SourceMarks } from './sourceMarks.ts';

export type LogEntry = { actor: Actor; event: LogEvent };
/** An event that happened elsewhere, at the time it was recorded there (UTC ms); null where none was. */
export type TimedEntry = LogEntry & { at: number | null };

/** Events for several live streams from another process. */
type EventBatch = readonly { stream: string; entries: readonly TimedEntry[] }[];

type Listener = (recorded: Recorded, record: EpisodeRecord) => void;

export type EventLog = {
  /**
   * Commits one event, or what `decide` makes of the stream's record, and returns it with its numbers.
   * A human decision is on disk (synchronous=FULL) when this returns. `decide` may throw to refuse.
   */
  append(stream: string, actor: Actor, event: LogEvent | ((record: EpisodeRecord) => LogEvent)): Recorded;
  /** Commits several events of one stream in one transaction. */
  appendAll(stream: string, entries: readonly LogEntry[]): Recorded[];
  /**
   * Commits episodes that happened elsewhere: all of them in one transaction, or nothing. An event without a time has
   * that of the one before it, the first the clock's. What stands beside a stream goes to streams of its own in the same
   * transaction. The events are trusted: who reads a file parses them. Listeners hear of each stream's last event only,
   * with a record that knows of no other. Throws `bad_input` when a stream is there already.
   */
  importStreams(streams: readonly ImportedStream[]): void;
  /** The same for many: in pieces, in short transactions; an episode is seen when it is whole. */
  importing: ImportQueue;
  queue: QueuedEpisodes;
  /**
   * Commits what several live streams got from another process in one transaction, and how far that process was taken
   * in, so that nothing comes twice. No human decision is among it. Listeners hear of every event, with the newest record.
   */
  appendMany(batch: EventBatch, mark: SourceMark): void;
  /**
   * What covers secrets in the events of a stream before they are stored, and puts them back for whoever acts on them.
   * With `secrets` it begins anew and knows these; null ends it. What it comes upon it knows until the episode ends.
   */
  cover(stream: string, secrets?: readonly string[] | null): Cover;
  /** Does what takes long with a large value on another thread where there is one. Rejects with what the job throws. */
  runLarge: RunJob;
  /** How far a source was taken in; 0 for one that is not known. */
  mark(name: string): number;
  /** Keeps numbers that no event holds; they outlive the process, not the machine's power. */
  keepMarks(marks: readonly SourceMark[]): void;
  dropMarks(names: readonly string[]): void;
  marks(prefix: string): string[];
  read(stream: string, after?: number, limit?: number): Recorded[];
  /** The same as they lie in the table: what `recordedOf` parses. */
  rows(stream: string): StoredRow[];
  /** Of the `span` events after `n`, those that may hold the words, case ignored: none that does is left out. */
  holding(stream: string, after: number, span: number, words: string): Recorded[];
  /** The folded record of a stream; empty when the stream is not there. */
  record(stream: string): EpisodeRecord;
  /** The ids of the streams whose name begins so. */
  streams(prefix: string): string[];
  lastSeq(): number;
  bytes(): number;
  /** Throws `data_unwritable` where nothing can be written now: a full disk, a folder that is read-only. */
  checkWritable(): void;
  /**
   * Takes all texts of an episode, or one text, out of the log and its files for good. Throws `not_found`, and
   * `bad_input` while the episode runs.
   */
  erase(episode: string, text: string | null, actor: Actor, reason: string | null): EraseResult;
  /** Of one stream, or of every one. Whoever waits for one stream's news names it: there may be a thousand of them. */
  subscribe(listener: Listener, stream?: string): () => void;
  texts: LongTexts;
  projections: Projections;
};

type EventLogEdges = {
  db: Database;
  clock: () => number;
  onListenerError: (thrown: unknown) => void;
  /** With it an import waits for the disk on another thread. */
  startThread?: StartThread | undefined;
  /** With it the log says outside the database how far it went. */
  highWater?: HighWater;
  /** Another process writes it: no record is kept, since it may be out of date at once. */
  isReadOnly?: boolean;
};

/** Folded records kept of episodes that have ended; the live ones are all kept. */
const ENDED_KEPT = 16;

export function createEventLog(edges: EventLogEdges): EventLog {
  const { db, clock, onListenerError, startThread, highWater = NO_HIGH_WATER } = edges;
  const texts = createLongTexts(db);
  const projections = createProjections(db, (text) => texts.loadText(text));
  const reader = createReader(db);
  const listeners = createListeners(onListenerError);
  const records = new Map<string, EpisodeRecord>();

  // From memory where this process alone writes the log.
  const recordOf = (stream: string): EpisodeRecord => {
    const known = edges.isReadOnly === true ? undefined : records.get(stream);
    if (known !== undefined) return known;
    const folded = reader.record(stream);
    if (edges.isReadOnly !== true) cacheRecord(records, folded);
    return folded;
  };
  const onThread = startThread === undefined ? null : runOnThread(startThread);
  const elsewhere: CoverElsewhere | null = onThread === null ? null : (asked) => onThread(COVER, asked);
  const parts: CommitParts = { db, clock, texts, projections, recordOf, highWater };
  const { commit, cover } = createCommit(parts, elsewhere);
  const tell = ({ recorded, record }: FoldedEvent): void => listeners.tell(recorded, record);
  const checkpoints = createCheckpoints(db, startThread);
  const importing = createImporting({ db, clock, projections, records, highWater, checkpoints, tell });
  const marks = createMarks(db);
  const commitBatch = createBatchCommit(parts, marks);

  const appendAll = (stream: string, entries: readonly LogEntry[]): Recorded[] => {
    const written = commit(stream, entries);
    checkpoints.noted(entries.length);
    const newest = written.at(-1)?.record;
    if (newest !== undefined) cacheRecord(records, newest);
    for (const one of written) tell(one);
    return written.map(({ recorded }) => recorded);
  };

  return {
    append: (stream, actor, event) => {
      const decided = typeof event === 'function' ? event(recordOf(stream)) : event;
      const [recorded] = appendAll(stream, [{ actor, event: decided }]);
      if (recorded === undefined) throw new Error('an append of one event committed none');
      return recorded;
    },
    appendAll,
    ...importing,
    ...fileOf(db),
    appendMany: (batch, mark) => {
      const written = commitBatch(batch, mark);
      for (const { record, recorded } of written) {
        cacheRecord(records, record);
        checkpoints.noted(recorded.length);
      }
      for (const { recorded, record } of written) for (const one of recorded) listeners.tell(one, record);
    },
    erase: (episode, text, actor, reason) => {
      checkErasable(recordOf(episode));
      const erased = eraseTexts(db, episode, text);
      records.delete(episode);
      texts.forget();
      appendAll(episode, [{ actor, event: erasedEvent(erased, text, reason) }]);
      clearAfter(db, () => projections.rewrite(reader.read(episode)));
      return erased;
    },
    cover,
    runLarge: runLarge(onThread),
    mark: (name) => marks.read(name),
    keepMarks: (kept) => marks.keep(kept),
    dropMarks: (names) => marks.drop(names),
    marks: (prefix) => marks.names(prefix),
    read: reader.read,
    holding: reader.holding,
    rows: reader.rows,
    streams: reader.streamsOf,
    lastSeq: reader.lastSeq,
    record: recordOf,
    subscribe: (listener, stream) => listeners.add(listener, stream),
    texts,
    projections: { ...projections, episode: (id) => projections.episode(id, records.get(id)) },
  };
}

/** Throws `bad_input` for an episode whose texts are not all there yet. */
function checkErasable(record: EpisodeRecord): void {
  if (record.started !== null && record.ended === null)
    throw new Failure('bad_input', 'this episode is still running', { next: 'Stop it, then erase it.' });
}

const erasedEvent = (
  { events, sha256 }: EraseResult,
  text: string | null,
  reason: string | null,
): LogEvent => ({
  kind: 'episode.erased',
  what: text === null ? 'episode' : 'text',
  reason,
  events,
  sha256,
});

/** Every other row knows nothing of these texts: to make all again took most of the time on a large log. */
function clearAfter(db: Database, rewrite: () => void): void {
  db.transaction(rewrite).immediate();
  clearSearch(db);
  scrub(db);
}

const fileOf = (db: Database): Pick<EventLog, 'bytes' | 'checkWritable' | 'queue'> => ({
  checkWritable: () => {
    try {
      // Sets what is set already: a commit that changes nothing, and needs its place on the disk as any other.
      db.pragma(`user_version = ${String(db.pragma('user_version', { simple: true }))}`);
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    }
  },
  bytes: () =>
    Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
  queue: createQueuedEpisodes(db),
});

type CommitParts = Pick<EventLogEdges, 'db' | 'clock'> & {
  highWater: HighWater;
  texts: LongTexts;
  projections: Projections;
  recordOf: (stream: string) => EpisodeRecord;
};

/** One transaction: events, their long texts, the projections. FULL durability only while a decision is written. */
function createCommit(
  { db, clock, texts, projections, recordOf, highWater }: CommitParts,
  elsewhere: CoverElsewhere | null,
) {
  const insert = db.prepare(
    'INSERT INTO events (stream, n, at, kind, actor, body) VALUES (?, ?, ?, ?, ?, ?) RETURNING seq',
  );
  const dequeue = createDequeue(db);
  const write = (stream: string, entries: readonly LogEntry[]): FoldedEvent[] => {
    const before = recordOf(stream);
    let record = before;
    if (entries[0]?.event.kind === 'episode.started') dequeue(stream);
    const written = entries.map(({ actor, event }) => {
      const stored = texts.store(LogEvent.parse(event));
      const n = record.n + 1;
      const at = clock();
      const body = JSON.stringify(stored);
      const { seq } = insert.get(stream, n, at, stored.kind, JSON.stringify(actor), body) as { seq: number };
      const recorded: Recorded = { seq, stream, n, at, actor, event: stored };
      record = fold(record, recorded);
      return { recorded, record };
    });
    projections.writeEach(written, before);
    return written;
  };
  const cover = createCovers(db, (stream) => recordOf(stream).ended !== null, elsewhere);
  const transaction = db.transaction(write);
  const commit = (stream: string, entries: readonly LogEntry[]): FoldedEvent[] => {
    const isDecision = entries.some(({ event }) => KINDS[event.kind].isDecision);
    try {
      if (isDecision) db.pragma('synchronous = FULL');
      const secrets = cover(stream);
      const covered = entries.map(({ actor, event }) => ({ actor, event: secrets.cover(event) }));
      const written = transaction.immediate(stream, covered);
      const last = written.at(-1)?.recorded;
      if (written.at(-1)?.record.ended !== null) cover(stream, null);
      if (last !== undefined) highWater.note(last, isDecision);
      return written;
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    } finally {
      if (isDecision) db.pragma('synchronous = NORMAL');
    }
  };
  return { commit, cover };
}

const ANY_MARK = /\[redacted(?::\d+)+\]/g;

/** Covers of ended episodes that have something ready, at most: what is not kept is covered once more. */
const ENDED_COVERS_MAX = 4;

/**
 * Kept until the episode ends, however many others come between: a secret it was started with is told once. One of an
 * ended episode is kept while it covers something ahead, until that is committed.
 */
function createCovers(
  db: Database,
  isEnded: (stream: string) => boolean,
  elsewhere: CoverElsewhere | null,
): EventLog['cover'] {
  const covers = new Map<string, Cover>();
  const marked = db
    .prepare<[string], string>("SELECT body FROM events WHERE stream = ? AND body LIKE '%[redacted:%'")
    .pluck();
  const started = db
    .prepare<[string], string>("SELECT body FROM events WHERE stream = ? AND kind = 'episode.started'")
    .pluck();
  const foreignMarks = (stream: string) => ({
    taken: new Set(marked.all(stream).flatMap((body) => body.match(ANY_MARK) ?? [])),
    isShared: started.get(stream)?.includes('"source":"tap"') === true,
  });
  let ended: string[] = [];
  const keptWhile = (stream: string, cover: Cover, values: readonly object[]): Promise<void> | null => {
    const ahead = cover.ahead(values);
    if (ahead === null) return null;
    covers.set(stream, cover);
    ended = [...ended.filter((one) => one !== stream && covers.has(one)), stream];
    if (ended.length > ENDED_COVERS_MAX) covers.delete(ended.shift() ?? '');
    return ahead;
  };
  return (stream, secrets) => {
    const known = covers.get(stream);
    if (known !== undefined && secrets === undefined) return known;
    covers.delete(stream);
    const cover = createCover(secrets ?? [], () => foreignMarks(stream), elsewhere);
    if (secrets === null) return cover;
    if (isEnded(stream)) return { ...cover, ahead: (values) => keptWhile(stream, cover, values) };
    covers.set(stream, cover);
    return cover;
  };
}

function cacheRecord(records: Map<string, EpisodeRecord>, record: EpisodeRecord): void {
  records.delete(record.id);
  records.set(record.id, record);
  if (record.ended === null) return;
  const ended = [...records.values()].filter((r) => r.ended !== null);
  for (const old of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) records.delete(old.id);
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(LogEvent.options.map(({ shape }) => shape.kind.value));

type CommittedBatch = { recorded: Recorded[]; record: EpisodeRecord }[];

/**
 * Commits what many live episodes of another process did meanwhile in one transaction, each record once. The events are
 * trusted: who takes them in has parsed what they were made of. Only their kind is looked at.
 */
function createBatchCommit(
  { db, clock, texts, projections, recordOf, highWater }: CommitParts,
  marks: SourceMarks,
): (batch: EventBatch, mark: SourceMark) => CommittedBatch {
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
  const write = (batch: EventBatch, mark: SourceMark): CommittedBatch => {
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

type NewEventRow = Omit<Recorded, 'seq'>;

/** Rows of one statement: a statement for each costs twice as much. */
const ROWS_PER_INSERT = 16;
const insertEvents = (rows: number): string =>
  `INSERT INTO events (stream, n, at, kind, actor, body) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ')}`;

/**
 * Writes many rows in order and returns them with their numbers; call it inside a transaction. The numbers of one
 * statement's rows follow each other: only the last is told.
 */
function createPutRows(db: Database): (rows: readonly NewEventRow[]) => Recorded[] {
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

/**
 * Listeners to commits. Most wait for news of one stream: they are found by it, so that an event costs as much among a
 * thousand episodes as among two. A listener that throws is reported; the others hear of it all the same.
 */
function createListeners(onError: (thrown: unknown) => void) {
  const everywhere = new Set<Listener>();
  const ofStream = new Map<string, Set<Listener>>();
  const tellAll = (listeners: ReadonlySet<Listener>, recorded: Recorded, record: EpisodeRecord): void => {
    for (const listener of listeners) {
      try {
        listener(recorded, record);
      } catch (thrown) {
        onError(thrown);
      }
    }
  };
  return {
    add: (listener: Listener, stream?: string): (() => void) => {
      if (stream === undefined) {
        everywhere.add(listener);
        return () => everywhere.delete(listener);
      }
      const own = ofStream.get(stream) ?? new Set();
      ofStream.set(stream, own);
      own.add(listener);
      return () => {
        own.delete(listener);
        if (own.size === 0 && ofStream.get(stream) === own) ofStream.delete(stream);
      };
    },
    tell: (recorded: Recorded, record: EpisodeRecord): void => {
      tellAll(everywhere, recorded, record);
      const own = ofStream.get(recorded.stream);
      if (own !== undefined) tellAll(own, recorded, record);
    },
  };
}
