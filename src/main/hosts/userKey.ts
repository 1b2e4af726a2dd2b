// The key by which this user's data folders are known on this machine: random bytes in a file apart from them, which this
// user alone can read and change.
import { randomBytes, randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { userKeyPath } from './paths.ts';

const KEY_BYTES = 32;
/** Another maker is done after the first; a disk that keeps no key never is. */
const TRIES = 4;
/** Of a user with no place for one: what comes by a backup is still known, as none takes a folder's mark along. */
const NO_KEY = Buffer.alloc(0);

/** The one that is there, else a new one. */
export const userKey = (file = userKeyPath()): Promise<Buffer> => makeKey(file).catch(() => NO_KEY);

/** For what only looks. */
export async function readUserKey(file = userKeyPath()): Promise<Buffer> {
  const key = await readKey(file);
  return typeof key === 'string' ? NO_KEY : key;
}

/** `bad`: cut, a link, or open to others, who could have written it. */
async function readKey(file: string): Promise<Buffer | 'missing' | 'bad'> {
  const noLink = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
  const handle = await open(file, constants.O_RDONLY | noLink).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ELOOP') return 'bad' as const;
    if (codeOf(thrown) === 'ENOENT' || codeOf(thrown) === 'ENOTDIR') return 'missing' as const;
    throw thrown;
  });
  if (typeof handle === 'string') return handle;
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || !isOnlyOurs(stat)) return 'bad';
    const key = await handle.readFile();
    return key.length === KEY_BYTES ? key : 'bad';
  } finally {
    await handle.close();
  }
}

/** The first who makes it wins, and all go on with it. Throws where none can be kept. */
async function makeKey(file: string): Promise<Buffer> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!isOnlyOurs(await lstat(folder))) await chmod(folder, 0o700);
  for (let left = TRIES; left >= 0; left -= 1) {
    const key = await readKey(file);
    if (typeof key !== 'string') return key;
    if (key === 'bad') await takeAway(file);
    await putNewKey(file);
  }
  throw new Error('no key can be kept');
}

/** Another may have put a good key into the place of the bad one meanwhile: that one goes back. */
async function takeAway(file: string): Promise<void> {
  const aside = nameBeside(file);
  try {
    await rename(file, aside).catch(unless('ENOENT'));
    if (typeof (await readKey(aside)) !== 'string') await link(aside, file).catch(unless('EEXIST'));
  } finally {
    await rm(aside, { force: true });
  }
}

async function putNewKey(file: string): Promise<void> {
  const partial = nameBeside(file);
  try {
    await writeFile(partial, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
    await link(partial, file).catch(unless('EEXIST'));
  } finally {
    await rm(partial, { force: true });
  }
}

/** This user's, and closed to everyone else. Windows has no such modes; there the folder of a profile is the user's. */
const isOnlyOurs = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

const nameBeside = (file: string): string => `${file}.${randomUUID()}`;

const codeOf = (thrown: unknown): unknown => (thrown as NodeJS.ErrnoException).code;

const unless =
  (code: string) =>
  (thrown: unknown): void => {
    if (codeOf(thrown) !== code) throw thrown;
  };
