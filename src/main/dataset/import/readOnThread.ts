// Reads files one after the other, on this thread or on one of its own: both ends of that thread, and what they send each
// other. The thread copies, hashes, parses and serialises the rows, so that the log's thread only has to insert them.
import { statSync } from 'node:fs';
import type { Worker, MessagePort } from 'node:worker_threads';
import { z } from 'zod';
import type { FileReport } from '../../../shared/contract/import.ts';
import { errorMessage, Failure, failureShape } from '../../../shared/failure.ts';
import type { StartThread } from '../../log/checkpoints.ts';
import { type ImportPiece, createScratch } from '../../log/importPieces.ts';
import {
  blankReport,
  readFile,
  type FileToImport,
  type ReaderDependencies,
  type Home,
  type EpisodeHeader,
} from './readFile.ts';
import { createSourceStore } from './sourceStore.ts';

/** Messages go in batches: what is sent in one turn of the event loop is one message, since each wakes the other thread. */
type ToReader =
  | { type: 'read'; job: number; file: FileToImport; now: number; secret: string }
  | { type: 'cancel'; job: number }
  /** So many characters of what was sent are written. */
  | { type: 'room'; size: number };

type FromReader =
  | { type: 'piece'; job: number; piece: ImportPiece; header: EpisodeHeader | null }
  | { type: 'bytes'; job: number; bytes: number }
  | { type: 'done'; job: number; report: FileReport };

/** Reads a file and gives what it finds to `home`; what is asked for meanwhile is read after it. */
export type ReadFiles = (file: FileToImport, home: Home, signal: AbortSignal) => Promise<FileReport>;
export type FileReaderHandle = { read: ReadFiles; close(): Promise<void> };

/** Reads on this thread. */
export function readHere(dependencies: ReaderDependencies): FileReaderHandle {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    read: (file, home, signal) => {
      const report = queue.then(() => readFile(dependencies, file, home, signal));
      queue = report;
      return report;
    },
    close: async () => void (await queue),
  };
}

/** Reads on a thread that is started when there is something to read; `folder` is where files are kept. */
export const readOnThread = (start: StartThread, folder: string): FileReaderHandle =>
  new OnThread(start, folder);

type ReadJob = {
  file: FileToImport;
  home: Home;
  signal: AbortSignal;
  resolve: (report: FileReport) => void;
  /** A message of it came back. */
  hasStarted: boolean;
};

/** A thread that has had nothing to read for so long is let go, and its memory with it. */
const THREAD_IDLE_MS = 15_000;

class OnThread implements FileReaderHandle {
  readonly #start: StartThread;
  readonly #folder: string;
  readonly #jobs = new Map<number, ReadJob>();
  readonly #out: ThreadOutbox<ToReader>;
  #thread: Worker | null = null;
  #last = 0;
  #idle: ReturnType<typeof setTimeout> | null = null;

  constructor(start: StartThread, folder: string) {
    this.#start = start;
    this.#folder = folder;
    const post = (messages: ToReader[]): void => this.#thread?.postMessage(messages);
    this.#out = createThreadOutbox(post, { sizeOf: () => 0, full: Infinity });
  }

  readonly read: ReadFiles = (file, home, signal) =>
    new Promise((resolve) => {
      this.#last += 1;
      const job = this.#last;
      if (this.#idle !== null) clearTimeout(this.#idle);
      this.#jobs.set(job, { file, home, signal, resolve, hasStarted: false });
      this.#thread ??= this.#open();
      this.#thread.ref();
      this.#send(job, { file, home });
      const cancel = (): void => this.#out.add({ type: 'cancel', job });
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    });

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    this.#out.forget();
    for (const job of this.#jobs.keys()) this.#fail(job, new Failure('closed', 'the import was closed'));
    await thread?.terminate();
  }

  #open(): Worker {
    const thread = this.#start('reading', { folder: this.#folder });
    thread.on('message', (messages: FromReader[]) => this.#hear(thread, messages));
    thread.on('error', (thrown) => this.#threadEnded(thread, thrown));
    thread.on('exit', () => this.#threadEnded(thread, new Error('the thread that reads files has ended')));
    return thread;
  }

  #send(job: number, { file, home }: Pick<ReadJob, 'file' | 'home'>): void {
    this.#out.add({ type: 'read', job, file, now: home.now, secret: home.secret });
  }

  /** All pieces are put before anything else is heard: those of an episode follow each other. */
  #hear(thread: Worker, messages: readonly FromReader[]): void {
    const taken: Promise<void>[] = [];
    let size = 0;
    for (const message of messages) {
      const one = this.#jobs.get(message.job);
      if (one !== undefined) one.hasStarted = true;
      if (message.type !== 'piece') {
        if (message.type === 'done') this.#done(message.job, message.report);
        else one?.home.onBytes(message.bytes);
        continue;
      }
      size += message.piece.size;
      if (one !== undefined) taken.push(one.home.put(message.piece, message.header));
    }
    if (size === 0) return;
    void Promise.all(taken).then(() => {
      if (this.#thread === thread) this.#out.add({ type: 'room', size });
    });
  }

  #done(job: number, report: FileReport): void {
    this.#jobs.get(job)?.resolve(report);
    this.#jobs.delete(job);
    if (this.#jobs.size > 0) return;
    this.#thread?.unref();
    this.#idle = setTimeout(() => void this.close(), THREAD_IDLE_MS);
    this.#idle.unref();
  }

  #fail(job: number, thrown: unknown): void {
    const name = this.#jobs.get(job)?.file.name ?? '';
    this.#done(job, { ...blankReport(name), failure: failureShape(thrown) });
  }

  /** What it was reading is to blame, what waited is read by another one. */
  #threadEnded(thread: Worker, thrown: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#out.forget();
    const all = [...this.#jobs];
    const started = all.filter(([, { hasStarted }]) => hasStarted);
    const blamed = started.length > 0 ? started : all.slice(0, 1);
    const others = all.filter((one) => !blamed.includes(one));
    if (others.length > 0) this.#thread = this.#open();
    for (const [job, waiting] of others) this.#send(job, waiting);
    const why = errorMessage(thrown);
    const beside = blamed.length > 1 ? ', or one of the small files beside it,' : '';
    const failure = new Failure('import_failed', `reading it${beside} took the reader down: ${why}`, {
      cause: thrown,
      next: 'It may need more memory than there is. What was read before stays; import it again to go on.',
    });
    for (const [job] of blamed) this.#fail(job, failure);
  }
}

type ThreadOutbox<M> = {
  add(message: M): void;
  send(): void;
  /** Whoever it was meant for is gone. */
  forget(): void;
};

/** Sends messages of one turn of the event loop as one, earlier when it is `full`. */
function createThreadOutbox<M>(
  post: (messages: M[]) => void,
  { sizeOf, full }: { sizeOf: (message: M) => number; full: number },
): ThreadOutbox<M> {
  let messages: M[] = [];
  let size = 0;
  let soon: ReturnType<typeof setImmediate> | null = null;
  const send = (): void => {
    if (soon !== null) clearImmediate(soon);
    soon = null;
    const all = messages;
    messages = [];
    size = 0;
    if (all.length > 0) post(all);
  };
  return {
    send,
    forget: () => {
      messages = [];
    },
    add: (message) => {
      messages.push(message);
      size += sizeOf(message);
      if (size >= full) send();
      else soon ??= setImmediate(send);
    },
  };
}

const ThreadData = z.object({ folder: z.string() });

/** Characters that are on their way to the log's thread; more are read when these are written. */
const ON_WAY = 6_291_456;
/** Sent at once. */
const PARCEL = 262_144;
/** Progress is sent at most this often. */
const BYTES_MS = 50;
/** Larger files are read alone: what is held of them is held once. They are taken in beside others. */
const SMALL_BATCH_BYTES = 1024 * 1024;

type ReadMessage = Extract<ToReader, { type: 'read' }>;

/** Serves until the thread is ended. */
export function serveReading(port: MessagePort, data: unknown, newId: () => string): void {
  const dependencies = {
    sources: createSourceStore(ThreadData.parse(data).folder, newId),
    newId,
    scratch: createScratch(),
  };
  const stopping = new Map<number, AbortController>();
  const room = createBackpressure();
  const lanes = createLanes();
  const out = createThreadOutbox<FromReader>((messages) => port.postMessage(messages, buffersOf(messages)), {
    sizeOf: (message) => (message.type === 'piece' ? message.piece.size : 0),
    full: PARCEL,
  });
  const read = async ({ job, file, now, secret }: ReadMessage, alone: RunAlone): Promise<void> => {
    const stop = stopping.get(job) ?? new AbortController();
    const progress = createProgress((bytes) => out.add({ type: 'bytes', job, bytes }));
    const home: Home = {
      now,
      secret,
      isTurn: alone,
      put: (piece, header) => {
        out.add({ type: 'piece', job, piece, header });
        return room.took(piece.size, () => out.send());
      },
      onBytes: progress.report,
    };
    const report = await readFile(dependencies, file, home, stop.signal);
    progress.finish();
    stopping.delete(job);
    out.add({ type: 'done', job, report });
  };
  const receive = (message: ToReader): void => {
    if (message.type === 'read') {
      stopping.set(message.job, new AbortController());
      lanes(isSmall(message.file.path), (alone) => read(message, alone));
    } else if (message.type === 'cancel') stopping.get(message.job)?.abort();
    else room.freed(message.size);
  };
  port.on('message', (messages: ToReader[]) => messages.forEach(receive));
}

/** A file that is not there fails when it is read. */
const isSmall = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BATCH_BYTES;

/** The rows' buffers: handed over, not copied. */
const buffersOf = (messages: readonly FromReader[]): ArrayBuffer[] =>
  messages.flatMap((message) => (message.type === 'piece' ? [message.piece.rows.data.buffer] : []));

/** Counts what is on its way; all who send beyond the limit wait until half of it is written. */
function createBackpressure() {
  let onWay = 0;
  let waiting: (() => void)[] = [];
  return {
    took: (size: number, send: () => void): Promise<void> => {
      onWay += size;
      if (onWay < ON_WAY) return Promise.resolve();
      send();
      return new Promise((resolve) => waiting.push(resolve));
    },
    freed: (size: number): void => {
      onWay -= size;
      if (onWay > ON_WAY / 2) return;
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    },
  };
}

/** Sends how far a file is read, at most every `BYTES_MS`, and at last. */
function createProgress(send: (bytes: number) => void) {
  let sent = 0;
  let bytes = 0;
  let at = 0;
  return {
    report: (read: number): void => {
      bytes = read;
      const now = performance.now();
      if (now - at < BYTES_MS) return;
      at = now;
      sent = bytes;
      send(bytes);
    },
    finish: (): void => {
      if (bytes !== sent) send(bytes);
    },
  };
}

/** As many as keep a thread at work while each of them asks and waits. */
const LANE_COUNT = 24;

/** Resolves when everything else is done and nothing else is begun until the work is over. */
export type RunAlone = () => Promise<void>;

/** Begins small ones in their order; a large one takes its turn when it asks to be alone. None may throw. */
export function createLanes() {
  const running = new Set<Promise<void>>();
  let turn: Promise<void> = Promise.resolve();
  /** Resolves when the next large one may be taken in: one at most is ahead of the one that is read. */
  let ahead: Promise<void> = Promise.resolve();
  const quiet = async (most: number): Promise<void> => {
    while (running.size > most) await Promise.race(running);
  };
  const small = (work: (alone: RunAlone) => Promise<void>): void => {
    turn = turn.then(async () => {
      await quiet(LANE_COUNT - 1);
      const one = work(() => Promise.resolve()).finally(() => running.delete(one));
      running.add(one);
    });
  };
  const large = (work: (alone: RunAlone) => Promise<void>): void => {
    const { promise: isRead, resolve: begin } = Promise.withResolvers<void>();
    const alone: RunAlone = () => {
      turn = turn.then(async () => {
        await quiet(0);
        begin();
        await whole;
      });
      return isRead;
    };
    const whole = ahead.then(() => work(alone));
    ahead = Promise.race([isRead, whole]);
  };
  return (isSmall: boolean, work: (alone: RunAlone) => Promise<void>): void =>
    (isSmall ? small : large)(work);
}
