// Moves what an import or a crowd of live episodes has written from the write-ahead log into the database, on another
// thread where there is one.
import type { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Database } from './database.ts';

/** Starts a thread of this process; what it is to do is its host's to say. */
export type StartThread = (role: 'checkpoints' | 'reading' | 'large', data: unknown) => Worker;

export type Checkpoints = {
  /** So many characters were written; resolves when more may be. */
  written(size: number): Promise<void>;
  /** So many live events were written, for which nobody waits. While they are few, SQLite moves them by itself. */
  noted(events: number): void;
  close(): Promise<void>;
};

/** The result of a checkpoint: frames in the write-ahead log, and those of them in the database now. */
const CheckpointResult = z.object({ frames: z.number(), moved: z.number() });

/** Written since the last one; and what the write-ahead log may grow to before everyone waits for it. */
const EVERY = 8 * 1024 * 1024;
const FRAMES_MAX = 12_288;
/** The same where nobody waits: main then moves the last of it, which takes some tens of milliseconds. */
const LIVE_FRAMES_MAX = 32_768;
/** The size of a live event in the file, all tables together. */
const EVENT_SIZE = 32 * 1024;
/** So many in one stretch of this length are a crowd's. */
const CROWD_EVENTS = 200;
const CROWD_MS = 1_000;
/** SQLite's own default, which holds while nothing is imported. */
const USUAL_FRAMES = 1_000;
/** A writer that has nothing to write for so long is over. */
const THREAD_IDLE_MS = 1_000;

const inlineCheckpointer: Checkpoints = {
  written: () => Promise.resolve(),
  noted: () => undefined,
  close: () => Promise.resolve(),
};

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
  #stretch = { from: 0, events: 0 };

  constructor(db: Database, start: StartThread) {
    this.#db = db;
    this.#start = start;
  }

  async written(size: number): Promise<void> {
    if (this.#isLost) return;
    this.#count(size);
    if (this.#frames > FRAMES_MAX) {
      // One that is made while nobody writes gets to the end; the next write begins the write-ahead log anew.
      await this.#running;
      this.#run();
      await this.#running;
      this.#frames = 0;
    }
  }

  noted(events: number): void {
    if (this.#isLost || !this.#isCrowd(events)) return;
    this.#count(events * EVENT_SIZE);
    if (this.#frames <= LIVE_FRAMES_MAX || this.#running !== null) return;
    // The thread has moved nearly all of it: the rest is moved here, and the next write begins the log anew.
    this.#frames = 0;
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // A disk that is full: what was written is safe where it is, and the next write says so.
    }
  }

  #isCrowd(events: number): boolean {
    const now = performance.now();
    if (now - this.#stretch.from > CROWD_MS) this.#stretch = { from: now, events: 0 };
    this.#stretch.events += events;
    return this.#thread !== null || this.#stretch.events >= CROWD_EVENTS;
  }

  #count(size: number): void {
    if (this.#thread === null) this.#begin();
    this.#since += size;
    if (this.#since >= EVERY && this.#running === null) this.#run();
    if (this.#idle === null) {
      this.#idle = setTimeout(() => void this.close(), THREAD_IDLE_MS);
      this.#idle.unref();
    } else this.#idle.refresh();
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const thread = this.#thread;
    if (thread === null) return;
    await this.#running;
    this.#run();
    await this.#running;
    this.#thread = null;
    this.#stretch.events = 0;
    this.#usual();
    await thread.terminate();
    // Asked for in the same moment, of a thread that was about to end.
    this.#answer?.(0);
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
