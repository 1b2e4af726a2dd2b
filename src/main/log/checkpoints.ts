// Moves what an import has written from the write-ahead log into the database, on another thread where there is one.
import type { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Database } from './database.ts';

/** Starts a thread of this process; what it is to do is its host's to say. */
export type StartThread = (role: 'checkpoints' | 'reading', data: unknown) => Worker;

export type Checkpoints = {
  /** So many characters were written; resolves when more may be. */
  written(size: number): Promise<void>;
  close(): Promise<void>;
};

/** What a checkpoint found: frames in the write-ahead log, how many of them are in the database now. */
const CheckpointResult = z.object({ frames: z.number(), moved: z.number() });

/** Written since the last one; and what the write-ahead log may grow to before everyone waits for it. */
const EVERY = 8 * 1024 * 1024;
const FRAMES_MAX = 12_288;
/** SQLite's own default, which holds while nothing is imported. */
const USUAL_FRAMES = 1_000;
/** An import that has nothing to write for so long is over. */
const THREAD_IDLE_MS = 1_000;

const inlineCheckpointer: Checkpoints = { written: () => Promise.resolve(), close: () => Promise.resolve() };

export const createCheckpoints = (db: Database, start: StartThread | undefined): Checkpoints =>
  start === undefined || db.memory ? inlineCheckpointer : new ThreadedCheckpointer(db, start);

class ThreadedCheckpointer implements Checkpoints {
  readonly #db: Database;
  readonly #start: StartThread;
  #thread: Worker | null = null;
  #isLost = false;
  #since = 0;
  #frames = 0;
  #answer: ((frames: number) => void) | null = null;
  #running: Promise<void> | null = null;
  #idle: ReturnType<typeof setTimeout> | null = null;

  constructor(db: Database, start: StartThread) {
    this.#db = db;
    this.#start = start;
  }

  async written(size: number): Promise<void> {
    if (this.#isLost) return;
    if (this.#thread === null) this.#begin();
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#since += size;
    if (this.#since >= EVERY && this.#running === null) this.#run();
    if (this.#frames > FRAMES_MAX) {
      // One that is made while nobody writes gets to the end; the next write begins the write-ahead log anew.
      await this.#running;
      this.#run();
      await this.#running;
      this.#frames = 0;
    }
    this.#idle = setTimeout(() => void this.close(), THREAD_IDLE_MS);
    this.#idle.unref();
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const thread = this.#thread;
    if (thread === null) return;
    await this.#running;
    this.#run();
    await this.#running;
    this.#thread = null;
    this.#usual();
    await thread.terminate();
  }

  #begin(): void {
    this.#db.pragma('wal_autocheckpoint = 0');
    const thread = this.#start('checkpoints', { path: this.#db.name });
    this.#thread = thread;
    thread.on('message', (made: unknown) =>
      this.#answer?.(CheckpointResult.safeParse(made).data?.frames ?? 0),
    );
    thread.on('error', () => this.#lose(thread));
    thread.on('exit', () => this.#lose(thread));
    thread.unref();
  }

  /** A thread that fails leaves it to SQLite again: slower, nothing lost. */
  #lose(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#isLost = true;
    this.#usual();
    this.#answer?.(0);
  }

  #usual(): void {
    if (this.#db.open) this.#db.pragma(`wal_autocheckpoint = ${String(USUAL_FRAMES)}`);
  }

  #run(): void {
    this.#since = 0;
    this.#running ??= this.#made().finally(() => {
      this.#running = null;
    });
  }

  async #made(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#answer = resolve;
    // Whoever waits for it must not see the process end for want of work.
    thread.ref();
    thread.postMessage({});
    this.#frames = await promise;
    thread.unref();
    this.#answer = null;
  }
}
