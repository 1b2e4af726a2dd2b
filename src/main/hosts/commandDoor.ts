// The door by which commands of the command line go through an Interject that is open: a socket of this machine, for this
// user alone. Open while its process has the data folder.
import { randomBytes } from 'node:crypto';
import { errorMessage } from '../../shared/failure.ts';
import type { Caller } from '../../shared/contract/contract.ts';
import { SUBPROTOCOL_PREFIX } from '../../shared/contract/envelope.ts';
import type { App } from '../app/types.ts';
import { isToken, tokenInSubprotocol } from './consoleTokens.ts';
import { doorPath, removeDoor, writeNote } from './doorPlace.ts';
import { openLocalSocket, type ListenerDoor } from './listener.ts';
import { serveSocket } from './serveSocket.ts';
import { VERSION } from './version.ts';

export type CommandDoor = { close(): Promise<void> };

type DoorParts = {
  app: Pick<App, 'route' | 'subscribe' | 'leave'>;
  folder: string;
  /** Where the console is served, with its token; null where it is served to no browser. */
  console: { url: string; token: string } | null;
  say: (text: string) => void;
};

/** A piece of a file, a plan of many tasks. */
const FRAME_MAX = 64 * 1024 * 1024;

/** Opens it. Where it cannot be opened that is said, and commands find the folder in use. */
export async function openCommandDoor({ app, folder, console, say }: DoorParts): Promise<CommandDoor> {
  const key = randomBytes(32).toString('base64url');
  let isClosing = false;
  let path: string | null = null;
  try {
    path = doorPath(folder);
    // Nobody else has the folder: what lies there is of a process that was killed.
    removeDoor(folder, path);
    // What commands began goes on with the product where that closes, not with them.
    const left = (caller: Caller): void => {
      if (!isClosing) void app.leave(caller);
    };
    const door = createDoor(app, { key, console, left });
    const socket = await openLocalSocket(door, path, FRAME_MAX);
    writeNote(folder, { path, key, version: VERSION, pid: process.pid });
    return {
      close: async () => {
        isClosing = true;
        removeDoor(folder, null);
        await socket.close();
        removeDoor(folder, path);
      },
    };
  } catch (thrown) {
    removeDoor(folder, path);
    say(`Commands cannot go through this Interject while it is open: ${errorMessage(thrown)}`);
    return { close: () => Promise.resolve() };
  }
}

type DoorKnows = Pick<DoorParts, 'console'> & {
  key: string;
  left: (caller: Caller) => void;
};

function createDoor(app: DoorParts['app'], { key, console, left }: DoorKnows): ListenerDoor {
  let lines = 0;
  const isKnown = (offered: string): boolean => isToken(tokenInSubprotocol(offered), key);
  return {
    handle: async (request) => {
      const given = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? '';
      if (!isToken(given, key)) return new Response(null, { status: 401 });
      // The token may have been renewed.
      return Response.json({ console: console === null ? null : { url: console.url, token: console.token } });
    },
    refuse: (request) => {
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
      return offered.some(isKnown) ? null : 401;
    },
    subprotocol: (offered) => [...offered].find(isKnown) ?? false,
    accept: (socket) => {
      lines += 1;
      const caller = { seat: `command-${String(lines)}`, isCommand: true };
      serveSocket(app, socket, caller, () => left(caller));
    },
  };
}

/** As a client offers it. */
export const keyAsSubprotocol = (key: string): string => `${SUBPROTOCOL_PREFIX}${key}`;
