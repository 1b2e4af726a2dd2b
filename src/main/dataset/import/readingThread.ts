// The thread that reads files: it copies, hashes, parses and serialises the rows, so that the log's thread only has
// to insert them.
import { statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { z } from 'zod';
import { createScratch } from '../../log/importPieces.ts';
import { createThreadOutbox, type FromReader, type ToReader } from './reading.ts';
import { readFile, type Home } from './readFile.ts';
import { createSourceStore } from './sourceStore.ts';

const ThreadData = z.object({ folder: z.string() });

/** Characters that are on their way to the log's thread; more are read when these are written. */
const ON_WAY = 6_291_456;
/** What goes at once. */
const PARCEL = 262_144;
/** Progress is told at most this often. */
const BYTES_MS = 50;
/** Larger files are read alone: what is held of them is held once. They are taken in beside others. */
const SMALL_BATCH_BYTES = 1024 * 1024;

type ReadMessage = Extract<ToReader, { type: 'read' }>;

/** Serves until the thread is ended. */
export function serveReading(port: MessagePort, data: unknown, newId: () => string): void {
  const ground = {
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
    const bytes = seldom((done) => out.say({ type: 'bytes', job, bytes: done }));
    const home: Home = {
      now,
      secret,
      isTurn: alone,
      put: (piece, told) => {
        out.say({ type: 'piece', job, piece, told });
        return room.took(piece.size, () => out.send());
      },
      onBytes: bytes.tell,
    };
    const report = await readFile(ground, file, home, stop.signal);
    bytes.last();
    stopping.delete(job);
    out.say({ type: 'done', job, report });
  };
  const heard = (message: ToReader): void => {
    if (message.type === 'read') {
      stopping.set(message.job, new AbortController());
      lanes(isSmall(message.file.path), (alone) => read(message, alone));
    } else if (message.type === 'cancel') stopping.get(message.job)?.abort();
    else room.freed(message.size);
  };
  port.on('message', (messages: ToReader[]) => messages.forEach(heard));
}

/** What is not there is found out when it is read. */
const isSmall = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BATCH_BYTES;

/** They are handed over, not copied. */
const buffersOf = (messages: readonly FromReader[]): ArrayBuffer[] =>
  messages.flatMap((message) => (message.type === 'piece' ? [message.piece.rows.data.buffer] : []));

/** How much is on its way; all who send beyond the limit wait until half of it is written. */
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

function seldom(tell: (bytes: number) => void) {
  let told = 0;
  let saw = 0;
  let at = 0;
  return {
    tell: (bytes: number): void => {
      saw = bytes;
      const now = performance.now();
      if (now - at < BYTES_MS) return;
      at = now;
      told = bytes;
      tell(bytes);
    },
    last: (): void => {
      if (saw !== told) tell(saw);
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
