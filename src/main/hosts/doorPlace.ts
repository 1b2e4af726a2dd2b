// Where a running Interject is reached by commands of the same user: a socket in the data folder. The folder's path alone
// says where, so that nothing in a folder of a stranger's leads elsewhere.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';

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
export function clearDoor(path: string, folder: string): void {
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

/** Whether a command may knock there: a pipe of this machine, or a socket of this user's in a folder of this user's. */
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

/** What a killed process left, or we ourselves. */
export function removeDoor(path: string): void {
  if (path.startsWith(PIPES)) return;
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder that became read-only keeps it: nobody answers there, and that is noticed.
  }
}
