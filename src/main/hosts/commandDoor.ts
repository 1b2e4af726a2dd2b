// The door by which commands of the command line go through an Interject that is open: a socket of this machine, for this
// user alone. Open while its process has the data folder.
import { errorMessage } from '../../shared/failure.ts';
import type { Caller } from '../../shared/contract/contract.ts';
import type { App } from '../app/types.ts';
import { answerKnock, KNOCK_ANSWER } from '../log/knock.ts';
import type { DoorWords } from './doorLine.ts';
import { clearDoor, doorPath, removeDoor } from './doorPlace.ts';
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
  let isClosing = false;
  let path: string | null = null;
  try {
    path = doorPath(folder);
    // Nobody else has the folder: what lies there is of a process that was killed.
    clearDoor(path, folder);
    // What commands began goes on with the product where that closes, not with them.
    const left = (caller: Caller): void => {
      if (!isClosing) void app.leave(caller);
    };
    const socket = await openLocalSocket(createDoor(app, { folder, console, left }), path, FRAME_MAX);
    const opened = path;
    return {
      close: async () => {
        isClosing = true;
        await socket.close();
        removeDoor(opened);
      },
    };
  } catch (thrown) {
    if (path !== null) removeDoor(path);
    say(`Commands cannot go through this Interject while it is open: ${errorMessage(thrown)}`);
    return { close: () => Promise.resolve() };
  }
}

type DoorKnows = Pick<DoorParts, 'console' | 'folder'> & {
  left: (caller: Caller) => void;
};

/** Lets in who has laid a knock into the folder, and proves with its answer that it reads the folder too. */
function createDoor(app: DoorParts['app'], { folder, console, left }: DoorKnows): ListenerDoor {
  let lines = 0;
  const answerTo = (given: string | null | undefined): string | null =>
    answerKnock(folder, given?.replace(/^Bearer\s+/i, ''));
  return {
    handle: async (request) => {
      const answer = answerTo(request.headers.get('authorization'));
      if (answer === null) return new Response(null, { status: 401 });
      const about: DoorWords = {
        version: VERSION,
        // The token may have been renewed.
        console: console === null ? null : { url: console.url, token: console.token },
      };
      return Response.json(about, { headers: { [KNOCK_ANSWER]: answer } });
    },
    refuse: ({ headers }) => (answerTo(headers.authorization) === null ? 401 : null),
    greeting: ({ headers }) => [`${KNOCK_ANSWER}: ${answerTo(headers.authorization) ?? ''}`],
    accept: (socket) => {
      lines += 1;
      const caller = { seat: `command-${String(lines)}`, isCommand: true };
      serveSocket(app, socket, caller, () => left(caller));
    },
  };
}
