// Reads files one after the other, on this thread or on one of its own.
import type { Worker } from 'node:worker_threads';
import type { FileReport } from '../../../shared/contract/import.ts';
import { errorMessage, Failure, failureShape } from '../../../shared/failure.ts';
import type { StartThread } from '../../log/checkpoints.ts';
import {
  blankReport,
  readFile,
  type FileToImport,
  type ReaderDependencies,
  type Home,
  type EpisodeHeader,
} from './readFile.ts';
import type { ImportPiece } from '../../log/importPieces.ts';

/** Reads a file and tells it to `home`; what is asked for meanwhile is read after it. */
export type ReadFiles = (file: FileToImport, home: Home, signal: AbortSignal) => Promise<FileReport>;
export type FileReaderHandle = { read: ReadFiles; close(): Promise<void> };

/** Reads on this thread. */
export function readHere(ground: ReaderDependencies): FileReaderHandle {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    read: (file, home, signal) => {
      const report = queue.then(() => readFile(ground, file, home, signal));
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
  /** Something was heard of it. */
  isBegun: boolean;
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
      this.#jobs.set(job, { file, home, signal, resolve, isBegun: false });
      this.#thread ??= this.#open();
      this.#thread.ref();
      this.#ask(job, { file, home });
      const cancel = (): void => this.#post({ type: 'cancel', job });
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
    thread.on('error', (thrown) => this.#lost(thread, thrown));
    thread.on('exit', () => this.#lost(thread, new Error('the thread that reads files has ended')));
    return thread;
  }

  #ask(job: number, { file, home }: Pick<ReadJob, 'file' | 'home'>): void {
    this.#post({ type: 'read', job, file, now: home.now, secret: home.secret });
  }

  #post(message: ToReader): void {
    this.#out.say(message);
  }

  /** All pieces are put before anything else is heard: those of an episode follow each other. */
  #hear(thread: Worker, messages: readonly FromReader[]): void {
    const taken: Promise<void>[] = [];
    let size = 0;
    for (const message of messages) {
      const one = this.#jobs.get(message.job);
      if (one !== undefined) one.isBegun = true;
      if (message.type !== 'piece') {
        if (message.type === 'done') this.#done(message.job, message.report);
        else one?.home.onBytes(message.bytes);
        continue;
      }
      size += message.piece.size;
      if (one !== undefined) taken.push(one.home.put(message.piece, message.told));
    }
    if (size === 0) return;
    void Promise.all(taken).then(() => {
      if (this.#thread === thread) this.#post({ type: 'room', size });
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
  #lost(thread: Worker, thrown: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#out.forget();
    const all = [...this.#jobs];
    const begun = all.filter(([, { isBegun }]) => isBegun);
    const blamed = begun.length > 0 ? begun : all.slice(0, 1);
    const others = all.filter((one) => !blamed.includes(one));
    if (others.length > 0) this.#thread = this.#open();
    for (const [job, waiting] of others) this.#ask(job, waiting);
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
  say(message: M): void;
  send(): void;
  /** Whoever it was meant for is gone. */
  forget(): void;
};

/** What is said in one breath goes at once, earlier when it is `full`. */
export function createThreadOutbox<M>(
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
    say: (message) => {
      messages.push(message);
      size += sizeOf(message);
      if (size >= full) send();
      else soon ??= setImmediate(send);
    },
  };
}

/** They go in batches: what was said in one breath is one message, since each wakes the other thread. */
export type ToReader =
  | { type: 'read'; job: number; file: FileToImport; now: number; secret: string }
  | { type: 'cancel'; job: number }
  /** So much of what was told is written. */
  | { type: 'room'; size: number };

export type FromReader =
  | { type: 'piece'; job: number; piece: ImportPiece; told: EpisodeHeader | null }
  | { type: 'bytes'; job: number; bytes: number }
  | { type: 'done'; job: number; report: FileReport };
