// Writes imported episodes to the log in short transactions, so that live episodes never wait for an import. They keep the
// times they brought along. An episode of a single piece is committed whole; a longer one is marked as half imported until
// its last piece is there.
import { fold, foldAll } from '../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import type { RecordIdentity } from '../../shared/events/import.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { Checkpoints } from './checkpoints.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { LogEntry, TimedEntry } from './eventLog.ts';
import { createReader } from './eventReader.ts';
import { removeHalf } from './halfImported.ts';
import type { HighWater } from './highWater.ts';
import { type ImportPiece, rowColumns, importPieces, type PieceEnd, type Rows } from './importPieces.ts';
import type { Projections } from './projections.ts';

/** Whose pieces they are. */
export type PieceOwner = {
  /** The episode is whole and in the log. */
  onWhole(piece: ImportPiece): void;
  /** It could not be written; nothing of its episode is there, and nothing more of this owner is taken. */
  onFailed(thrown: unknown): void;
};

export type ImportQueue = {
  /** Episodes that are not in the log yet, by what their records are known by: whoever puts one sets and deletes it. */
  arriving: Map<string, { episode: string; record: RecordIdentity }>;
  /** Takes a piece; resolves when there is room for another. */
  put(piece: ImportPiece, owner: PieceOwner): Promise<void>;
  /** Takes back the episodes of an owner of which nothing is written yet; returns which. */
  withdraw(owner: PieceOwner): Set<string>;
  /** Nothing more comes of an owner: what is half written of it goes. */
  giveUp(owner: PieceOwner, thrown: unknown): void;
  /** Resolves when everything that was put is written, or has failed. */
  settled(): Promise<void>;
  holds(stream: string): boolean;
  /** Whether something is being written, or was a moment ago. */
  isBusy(): boolean;
  /** Resolves when everything is written, and made durable. */
  close(): Promise<void>;
};

type QueuedPiece = { piece: ImportPiece; owner: PieceOwner };
type ImportQueueDependencies = {
  commit: ImportCommit;
  tell: (arrived: ArrivedEvent) => void;
  checkpoints: Checkpoints;
};

type ImportQueueEdges = Parameters<typeof createImportCommit>[0] & {
  tell: (arrived: ArrivedEvent) => void;
  checkpoints: Checkpoints;
};

/** A transaction holds the process up for less than a person notices. */
const TRANSACTION_SLICE_MS = 6;
/** If other processes take most of the time there is, a slice of nothing but waiting would get nowhere. */
const SLICE_MIN = 65_536;
/** A reader may need so long for the next piece. */
const CHECKPOINT_QUIET_MS = 500;
/** Characters that wait; whoever puts more waits as well. */
const QUEUE_BYTES_MAX = 4_194_304;

/** Both ways into the log: whole episodes at once, and many in pieces. */
export function createImporting({ tell, checkpoints, ...edges }: ImportQueueEdges) {
  const commit = createImportCommit(edges);
  return {
    importStreams: (streams: readonly ImportedStream[]): void => {
      for (const arrived of commit.streams(streams)) tell(arrived);
    },
    importing: new Queue({ commit, tell, checkpoints }),
  };
}

class Queue implements ImportQueue {
  readonly arriving: ImportQueue['arriving'] = new Map();
  readonly #parts: ImportQueueDependencies;
  #waiting: QueuedPiece[] = [];
  #size = 0;
  #isCareful = false;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #failed = new Set<PieceOwner>();
  #half = new Map<string, PieceOwner>();
  #roomFor: (() => void)[] = [];
  #running: Promise<void> | null = null;

  constructor(parts: ImportQueueDependencies) {
    this.#parts = parts;
  }

  put(piece: ImportPiece, owner: PieceOwner): Promise<void> {
    if (this.#failed.has(owner)) return Promise.resolve();
    this.#waiting.push({ piece, owner });
    this.#size += piece.size;
    this.#running ??= this.#run();
    return this.#size < QUEUE_BYTES_MAX ? Promise.resolve() : new Promise((go) => this.#roomFor.push(go));
  }

  withdraw(owner: PieceOwner): Set<string> {
    const isUnwritten = (one: QueuedPiece): boolean =>
      one.owner === owner && !this.#half.has(one.piece.stream);
    const streams = new Set(this.#waiting.filter(isUnwritten).map(({ piece }) => piece.stream));
    this.#leave((one) => !isUnwritten(one));
    return streams;
  }

  giveUp(owner: PieceOwner, thrown: unknown): void {
    this.#fail(owner, thrown);
    if (this.#running === null) this.#failed.delete(owner);
  }

  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  holds(stream: string): boolean {
    return this.#half.has(stream) || this.#waiting.some(({ piece }) => piece.stream === stream);
  }

  isBusy(): boolean {
    return this.#running !== null || performance.now() - this.#wroteAt < CHECKPOINT_QUIET_MS;
  }

  async close(): Promise<void> {
    await this.settled();
    await this.#parts.checkpoints.close();
  }

  async #run(): Promise<void> {
    const { checkpoints } = this.#parts;
    // What is put in the same breath goes into the same transaction.
    await yieldToEventLoop();
    while (this.#waiting.length > 0) {
      const size = this.#slice();
      this.#wroteAt = performance.now();
      await yieldToEventLoop();
      await checkpoints.written(size);
    }
    this.#failed.clear();
    this.#running = null;
  }

  /** One transaction; returns how many characters it took in. */
  #slice(): number {
    const until = performance.now() + TRANSACTION_SLICE_MS;
    let taken = 0;
    let size = 0;
    const isOver = (): boolean => {
      size += pieces[taken]?.size ?? 0;
      taken += 1;
      return size >= SLICE_MIN && performance.now() >= until;
    };
    const pieces = this.#waiting.slice(0, this.#isCareful ? 1 : undefined).map(({ piece }) => piece);
    let done: ReturnType<ImportCommit['pieces']>;
    try {
      done = this.#parts.commit.pieces(pieces, isOver);
    } catch (thrown) {
      // Which of them cannot be written is found by writing them one at a time.
      const [first] = this.#waiting;
      if (pieces.length === 1 && first !== undefined) this.#fail(first.owner, thrown);
      this.#isCareful = true;
      return 0;
    }
    this.#isCareful = false;
    const written = this.#take(done.written);
    for (const { piece, owner } of written) {
      if (piece.end === null) this.#half.set(piece.stream, owner);
      else this.#half.delete(piece.stream);
    }
    for (const arrived of done.arrived) this.#parts.tell(arrived);
    for (const { piece, owner } of written) if (piece.end !== null) this.#whole(piece, owner);
    return written.reduce((sum, { piece }) => sum + piece.size, 0);
  }

  #take(count: number): QueuedPiece[] {
    const taken = this.#waiting.slice(0, count);
    const gone = new Set(taken);
    this.#leave((one) => !gone.has(one));
    return taken;
  }

  #leave(isLeft: (one: QueuedPiece) => boolean): void {
    this.#waiting = this.#waiting.filter(isLeft);
    this.#size = this.#waiting.reduce((sum, { piece }) => sum + piece.size, 0);
    if (this.#size >= QUEUE_BYTES_MAX) return;
    const free = this.#roomFor;
    this.#roomFor = [];
    for (const go of free) go();
  }

  #whole(piece: ImportPiece, owner: PieceOwner): void {
    try {
      owner.onWhole(piece);
    } catch (thrown) {
      this.#fail(owner, thrown);
    }
  }

  /** Nothing more is taken of an owner, and what is half written goes. */
  #fail(owner: PieceOwner, thrown: unknown): void {
    this.#failed.add(owner);
    this.#leave((one) => one.owner !== owner);
    for (const [stream, whose] of this.#half) {
      if (whose !== owner) continue;
      this.#half.delete(stream);
      this.#abandon(stream);
    }
    owner.onFailed(thrown);
  }

  #abandon(stream: string): void {
    try {
      this.#parts.commit.abandon(stream);
    } catch {
      // The disk may be full: it is noted as half, and the next start takes it out.
    }
  }
}

const yieldToEventLoop = (): Promise<void> => new Promise((go) => setImmediate(go));

type ImportCommitDependencies = {
  db: Database;
  clock: () => number;
  projections: Projections;
  /** Folded records that are kept; one of a stream that was not there yet is let go. */
  records: Map<string, EpisodeRecord>;
  highWater: HighWater;
};

/** The last event of an episode that is whole now, and a record that knows of no other. */
type ArrivedEvent = { recorded: Recorded; record: EpisodeRecord };

/** An episode that happened elsewhere, and what is noted of it in streams of their own. */
export type ImportedStream = {
  stream: string;
  entries: readonly TimedEntry[];
  beside?: readonly (LogEntry & { stream: string })[];
};

type ImportCommit = {
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

function createImportCommit({
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
