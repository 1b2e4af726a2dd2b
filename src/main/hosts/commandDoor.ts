// The door by which commands of the command line go through an Interject that is open: a socket of this machine, for this
// user alone. Open while its process has the data folder.
import { errorMessage, Failure } from '../../shared/failure.ts';
import type { Caller } from '../../shared/contract/contract.ts';
import type { App } from '../app/types.ts';
import { answerKnock, KNOCK_ANSWER } from '../log/knock.ts';
import type { DoorWords } from './product.ts';
import { openLocalSocket, type ListenerDoor } from './listener.ts';
import { serveSocket } from './serveSocket.ts';
import { VERSION } from './version.ts';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

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

const SOCKET_FILE = 'interject.sock';

/** The address of a socket is a field of this many bytes on macOS (104) and Linux (108), its end among them. */
const PATH_BYTES_MAX = 103;

/** Pipes of this machine: a name with a host in the dot's place would lead to another one. */
const PIPES = '\\\\.\\pipe\\';

type Place = {
  platform?: NodeJS.Platform;
  environment?: NodeJS.ProcessEnv;
};

/**
 * The socket of a data folder: in it, or, where its path is too long for the system, under a short name in a folder of this
 * user's alone; on Windows a pipe.
 */
export function doorPath(
  folder: string,
  { platform = process.platform, environment = process.env }: Place = {},
): string {
  const whole = realpathSync(folder);
  const short = createHash('sha256').update(whole).digest('hex').slice(0, 24);
  if (platform === 'win32') return `${PIPES}interject-${short}`;
  const usual = join(whole, SOCKET_FILE);
  if (Buffer.byteLength(usual) <= PATH_BYTES_MAX) return usual;
  const given = environment['XDG_RUNTIME_DIR'];
  const own =
    given !== undefined && given.startsWith('/')
      ? join(given, 'interject')
      : join(tmpdir(), `interject-${String(userInfo().uid)}`);
  return join(own, `${short}.sock`);
}

/**
 * Makes room for the socket: a folder for short names is made, and what a killed process left is removed. Throws
 * `data_unwritable` where that folder is somebody else's.
 */
function clearDoor(path: string, folder: string): void {
  const own = dirname(path);
  if (!path.startsWith(PIPES) && own !== realpathSync(folder)) {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const found = lstatSync(own);
    if (!found.isDirectory() || found.uid !== userInfo().uid)
      throw new Failure('data_unwritable', `${own} is not a folder of yours`, {
        next: 'Choose a data folder with a shorter path.',
      });
    chmodSync(own, 0o700);
  }
  removeDoor(path);
}

/** True if a command may connect there: a pipe of this machine, or a socket in a folder, both of this user's. */
export function isOwnDoor(path: string): boolean {
  if (path.startsWith(PIPES)) return true;
  const { uid } = userInfo();
  const [socket, folder] = [path, dirname(path)].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  return (
    socket?.isSocket() === true &&
    socket.uid === uid &&
    folder?.isDirectory() === true &&
    folder.uid === uid &&
    (folder.mode & OTHERS_WRITE) === 0
  );
}

const OTHERS_WRITE = 0o002;

/** Removes a killed process's door, or ours. */
function removeDoor(path: string): void {
  if (path.startsWith(PIPES)) return;
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder that became read-only keeps it: nobody answers there, and that is noticed.
  }
}
