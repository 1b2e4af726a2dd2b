// Owns: the thread that reads files: it copies, hashes, parses, tells and writes out the rows; the log's thread has only
// to put them in.
import type { MessagePort } from 'node:worker_threads';
import { z } from 'zod';
import { createScratch, type Piece } from '../../log/pieces.ts';
import { readFile, type Home, type Told } from './readFile.ts';
import type { FromReader, ToReader } from './readingMessages.ts';
import { createSources } from './sources.ts';

const Data = z.object({ folder: z.string() });

/** Characters that are on their way to the log's thread; more are read when these are written. */
const ON_WAY = 6_291_456;
/** What goes at once. */
const PARCEL = 262_144;
/** Progress is told at most this often. */
const BYTES_MS = 50;

/** Serves until the thread is ended. */
export function serveReading(port: MessagePort, data: unknown, newId: () => string): void {
  const ground = { sources: createSources(Data.parse(data).folder, newId), newId, scratch: createScratch() };
  const stopping = new Map<number, AbortController>();
  const room = createRoom();
  const answers = new Map<string, (message: ToReader) => void>();
  let queue: Promise<void> = Promise.resolve();
  const post = (message: FromReader): void => port.postMessage(message, buffersOf(message));
  const parcel = createParcel(post);
  const send = (message: FromReader): void => {
    parcel.send();
    post(message);
  };
  const ask = <T extends ToReader['type']>(message: FromReader, type: T) => {
    const { promise, resolve } = Promise.withResolvers<Extract<ToReader, { type: T }>>();
    answers.set(type, (answer) => resolve(answer as Extract<ToReader, { type: T }>));
    send(message);
    return promise;
  };
  const read = async ({ job, file, now }: Extract<ToReader, { type: 'read' }>): Promise<void> => {
    const stop = stopping.get(job) ?? new AbortController();
    const bytes = seldom((done) => post({ type: 'bytes', job, bytes: done }));
    const home: Home = {
      now,
      known: async (sha256, format) => (await ask({ type: 'known', job, sha256, format }, 'known')).known,
      isThere: async (episode) => (await ask({ type: 'there', job, episode }, 'there')).isThere,
      put: (piece, told) => {
        parcel.add(job, piece, told);
        return room.took(piece.size, parcel.send);
      },
      onBytes: bytes.tell,
    };
    const report = await readFile(ground, file, home, stop.signal);
    bytes.last();
    stopping.delete(job);
    send({ type: 'done', job, report });
  };
  port.on('message', (message: ToReader) => {
    if (message.type === 'read') {
      stopping.set(message.job, new AbortController());
      queue = queue.then(() => read(message));
    } else if (message.type === 'cancel') stopping.get(message.job)?.abort();
    else if (message.type === 'room') room.freed(message.size);
    else answers.get(message.type)?.(message);
  });
}

/** They are handed over, not copied. */
const buffersOf = (message: FromReader): ArrayBuffer[] =>
  message.type === 'pieces' ? message.pieces.map(({ piece }) => piece.rows.bodies.buffer) : [];

/** Small episodes on their way together. */
function createParcel(post: (message: FromReader) => void) {
  let parcel: Extract<FromReader, { type: 'pieces' }> | null = null;
  let size = 0;
  const send = (): void => {
    if (parcel !== null) post(parcel);
    parcel = null;
    size = 0;
  };
  return {
    send,
    add: (job: number, piece: Piece, told: Told | null): void => {
      parcel ??= { type: 'pieces', job, pieces: [] };
      parcel.pieces.push({ piece, told });
      size += piece.size;
      if (size >= PARCEL) send();
    },
  };
}

/** How much is on its way; whoever sends beyond the limit waits until half of it is written. */
function createRoom() {
  let onWay = 0;
  let go: (() => void) | null = null;
  return {
    took: (size: number, send: () => void): Promise<void> => {
      onWay += size;
      if (onWay < ON_WAY) return Promise.resolve();
      send();
      return new Promise((resolve) => {
        go = resolve;
      });
    },
    freed: (size: number): void => {
      onWay -= size;
      if (onWay > ON_WAY / 2 || go === null) return;
      go();
      go = null;
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
