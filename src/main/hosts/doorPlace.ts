// Where a running Interject is reached by commands of the same user: a socket in the data folder, and the note beside it
// that says where it is and holds the key to it.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';

const SOCKET_FILE = 'interject.sock';
/** As other files of the folder, it is its owner's alone. */
export const NOTE_FILE = 'interject.door';

const DoorNote = z.object({
  path: z.string(),
  key: z.string(),
  version: z.string(),
  pid: z.number().int(),
});
export type DoorNote = z.infer<typeof DoorNote>;

/** The address of a socket is a field of this many bytes on macOS (104) and Linux (108), its end among them. */
const PATH_BYTES_MAX = 103;

type Place = {
  platform?: NodeJS.Platform;
  environment?: NodeJS.ProcessEnv;
};

/**
 * The socket of a data folder: in it, or, where its path is too long for the system, under a short name in a folder of this
 * user's alone. Throws `data_unwritable` where that folder is somebody else's.
 */
export function doorPath(
  folder: string,
  { platform = process.platform, environment = process.env }: Place = {},
): string {
  const whole = realpathSync(folder);
  const short = createHash('sha256').update(whole).digest('hex').slice(0, 24);
  if (platform === 'win32') return `\\\\.\\pipe\\interject-${short}`;
  const usual = join(whole, SOCKET_FILE);
  if (Buffer.byteLength(usual) <= PATH_BYTES_MAX) return usual;
  return join(ownFolder(environment), `${short}.sock`);
}

function ownFolder(environment: NodeJS.ProcessEnv): string {
  const given = environment['XDG_RUNTIME_DIR'];
  const { uid } = userInfo();
  const folder =
    given !== undefined && given.startsWith('/')
      ? join(given, 'interject')
      : join(tmpdir(), `interject-${String(uid)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid)
    throw new Failure('data_unwritable', `${folder} is not a folder of yours`, {
      next: 'Choose a data folder with a shorter path.',
    });
  chmodSync(folder, 0o700);
  return folder;
}

/** Null where there is none, or it is of another form. */
export function readNote(folder: string): DoorNote | null {
  try {
    return DoorNote.parse(JSON.parse(readFileSync(join(folder, NOTE_FILE), 'utf8')));
  } catch {
    return null;
  }
}

export function writeNote(folder: string, note: DoorNote): void {
  const file = join(folder, NOTE_FILE);
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
}

/** What a killed process left, or we ourselves. */
export function removeDoor(folder: string, path: string | null): void {
  for (const file of [join(folder, NOTE_FILE), ...(path === null || path.startsWith('\\\\') ? [] : [path])]) {
    try {
      rmSync(file, { force: true });
    } catch {
      // A folder that became read-only keeps it: nobody answers there, and that is noticed.
    }
  }
}
