// Main's end of the link: finds the tap's process or starts one, and tells what it sends.
import { spawn as startProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import WebSocket from 'ws';
import { Failure } from '../../../shared/failure.ts';
import { isAnswered, KNOCK_ANSWER, layKnock, type Knock } from '../../log/knock.ts';
import { keepPlace } from './priority.ts';
import { type FromTap, PROTOCOL, readTapFile, removeTapFile, type ToTap } from './linkProtocol.ts';

/** Starts the tap's process so that it outlives this one. */
export type SpawnTap = (folder: string, port: number) => void;

type Hello = Extract<FromTap, { type: 'hello' }>;
export type TapLink = {
  hello: Hello;
  send(message: ToTap): void;
  /** What comes from now on; whatever came since the greeting comes first. */
  listen(on: {
    batch: (bytes: Buffer) => void;
    message: (message: FromTap) => void;
    closed: () => void;
  }): void;
  /** Reads no further until `resume`: the tap keeps what it has. */
  pause(): void;
  resume(): void;
  close(): void;
};

/** Runs an entry with this program (a Node, or Electron's binary, which then runs it as plain Node) and these variables. */
export const spawnTapWith =
  (entry: string, variables: NodeJS.ProcessEnv, program: string = process.execPath): SpawnTap =>
  (folder, port) => {
    const child = startProcess(program, [entry, folder, String(port)], {
      detached: true,
      stdio: 'ignore',
      // Many arenas of glibc's allocator would each keep what a crowd of clients once needed.
      env: { MALLOC_ARENA_MAX: '1', ...variables, ELECTRON_RUN_AS_NODE: '1' },
    });
    keepPlace(child.pid);
    child.on('error', () => undefined);
    child.unref();
  };

const START_MS = 10_000;
const TAP_POLL_MS = 10;
/** A batch is a few hundred KiB; a single frame may be 100 MiB. */
const LINK_FRAME_MAX = 256 << 20;

/** Attaches to the folder's tap, or starts one. Throws `internal` when neither works. */
export async function openTapLink(folder: string, port: number, spawn: SpawnTap): Promise<TapLink> {
  const knock = layKnock(folder);
  try {
    return checkProtocol((await attach(folder, knock)) ?? (await startTap(folder, port, { spawn, knock })));
  } finally {
    knock.remove();
  }
}

async function startTap(
  folder: string,
  port: number,
  { spawn, knock }: { spawn: SpawnTap; knock: Knock },
): Promise<TapLink> {
  removeTapFile(folder);
  spawn(folder, port);
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const link = await attach(folder, knock);
    if (link !== null) return link;
    await wait(TAP_POLL_MS);
  }
  throw new Failure('internal', 'the tap’s process did not start', {
    next: 'Look whether the data folder is writable and whether this machine lets processes open ports.',
  });
}

function checkProtocol(link: TapLink): TapLink {
  if (link.hello.protocol === PROTOCOL) return link;
  link.close();
  throw new Failure('data_in_use', 'a tap of another version of Interject still serves this data folder', {
    next: 'Let its clients finish; it ends by itself half a minute after the last one.',
  });
}

/** Null when nobody is there, or somebody who is not of this folder: they are told nothing. */
async function attach(folder: string, knock: Knock): Promise<TapLink | null> {
  const file = readTapFile(folder);
  if (file === null) return null;
  const socket = new WebSocket(`ws://127.0.0.1:${String(file.port)}/main`, {
    headers: { authorization: knock.secret },
    perMessageDeflate: false,
    maxPayload: LINK_FRAME_MAX,
    handshakeTimeout: 2_000,
  });
  return new Promise((resolve) => {
    socket.once('error', () => resolve(null));
    socket.on('error', () => socket.terminate());
    socket.once('upgrade', ({ headers }) => {
      if (!isAnswered(knock, headers[KNOCK_ANSWER])) socket.terminate();
    });
    socket.once('close', () => resolve(null));
    socket.once('message', (data: Buffer) => {
      socket.pause();
      resolve(tapLinkOver(socket, JSON.parse(data.toString('utf8')) as Hello));
    });
  });
}

function tapLinkOver(socket: WebSocket, hello: Hello): TapLink {
  // Frames that were read together with the greeting come although the socket is paused.
  const early: [Buffer, boolean][] = [];
  const keep = (data: Buffer, isBinary: boolean): void => void early.push([data, isBinary]);
  socket.on('message', keep);
  return {
    hello,
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    listen: ({ batch, message, closed }) => {
      const hear = (data: Buffer, isBinary: boolean): void =>
        isBinary ? batch(data) : message(JSON.parse(data.toString('utf8')) as FromTap);
      socket.off('message', keep);
      for (const [data, isBinary] of early) hear(data, isBinary);
      socket.on('message', hear);
      socket.on('close', closed);
      if (socket.readyState === WebSocket.CLOSED) closed();
      socket.resume();
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.close(1000),
  };
}
