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
  const answers = new Map<number, (message: ToReader) => void>();
  const room = createBackpressure();
  const lanes = createLanes();
  const inTurn = createTurns();
  const out = createThreadOutbox<FromReader>((messages) => port.postMessage(messages, buffersOf(messages)), {
    sizeOf: (message) => (message.type === 'piece' ? message.piece.size : 0),
    full: PARCEL,
  });
  const ask = <T extends ToReader['type']>(message: FromReader) => {
    const { promise, resolve } = Promise.withResolvers<Extract<ToReader, { type: T }>>();
    answers.set(message.job, (answer) => resolve(answer as Extract<ToReader, { type: T }>));
    out.say(message);
    return promise;
  };
  const read = async ({ job, file, now }: ReadMessage, alone: RunAlone): Promise<void> => {
    const stop = stopping.get(job) ?? new AbortController();
    const bytes = seldom((done) => out.say({ type: 'bytes', job, bytes: done }));
    const turns = inTurn(job);
    const home: Home = {
      now,
      isTurn: alone,
      known: async (sha256, format) => {
        await turns.take(sha256);
        return (await ask<'known'>({ type: 'known', job, sha256, format })).known;
      },
      isThere: async (episode) => {
        if (!turns.tells(episode)) return true;
        return (await ask<'there'>({ type: 'there', job, episode })).isThere;
      },
      put: (piece, told) => {
        out.say({ type: 'piece', job, piece, told });
        return room.took(piece.size, () => out.send());
      },
      onBytes: bytes.tell,
    };
    const report = await readFile(ground, file, home, stop.signal);
    bytes.last();
    stopping.delete(job);
    answers.delete(job);
    out.say({ type: 'done', job, report });
    turns.giveBack();
  };
  const heard = (message: ToReader): void => {
    if (message.type === 'read') {
      stopping.set(message.job, new AbortController());
      lanes(isSmall(message.file.path), (alone) => read(message, alone));
    } else if (message.type === 'cancel') stopping.get(message.job)?.abort();
    else if (message.type === 'room') room.freed(message.size);
    else answers.get(message.job)?.(message);
  };
  port.on('message', (messages: ToReader[]) => messages.forEach(heard));
}

/** What is not there is found out when it is read. */
const isSmall = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BATCH_BYTES;

/** They are handed over, not copied. */
const buffersOf = (messages: readonly FromReader[]): ArrayBuffer[] =>
  messages.flatMap((message) => (message.type === 'piece' ? [message.piece.rows.data.buffer] : []));

/**
 * Of files read beside each other, one that holds the same bytes waits for the other, and finds what that one told; an
 * episode that the other is telling is there. Only bytes are waited for, and first of all: nobody waits in a circle.
 */
function createTurns() {
  const bytes = new Map<string, Promise<void>>();
  const builder = new Map<string, number>();
  return (job: number) => {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    let own = '';
    const told: string[] = [];
    return {
      take: async (sha256: string): Promise<void> => {
        for (let other = bytes.get(sha256); other !== undefined; other = bytes.get(sha256)) await other;
        own = sha256;
        bytes.set(sha256, over);
      },
      /** False when another file is telling this episode. */
      tells: (episode: string): boolean => {
        const by = builder.get(episode) ?? job;
        if (by === job) told.push(episode);
        builder.set(episode, by);
        return by === job;
      },
      giveBack: (): void => {
        bytes.delete(own);
        for (const episode of told) builder.delete(episode);
        resolve();
      },
    };
  };
}

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
