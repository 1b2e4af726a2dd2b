// The key of the checksums of what is kept: 32 random bytes in a file of their own, apart from the files they vouch for.
import { randomBytes, randomUUID } from 'node:crypto';
import { link, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeOwnFolder, openOwnFile, removeFile } from './ownFiles.ts';

const KEY_BYTES = 32;
/** Who else makes one is done after the first; a disk that keeps no key never is. */
const TRIES = 4;
const MISSING = 'the key of its checksum is missing';

/** The key, or in a sentence why there is none that can be trusted. */
export async function readChecksumKey(file: string): Promise<Buffer | string> {
  const handle = await openOwnFile(file);
  if (handle === null) return MISSING;
  if (typeof handle === 'string') return `the key of its checksum cannot be trusted: ${handle}`;
  try {
    const key = await handle.readFile();
    return key.length === KEY_BYTES ? key : 'the key of its checksum is damaged';
  } finally {
    await handle.close();
  }
}

/** The key that is there, else a new one: the first who makes it wins, and all go on with it. Throws without one. */
export async function makeChecksumKey(file: string): Promise<Buffer> {
  await makeOwnFolder(dirname(file));
  for (let left = TRIES; ; left -= 1) {
    const key = await readChecksumKey(file);
    if (typeof key !== 'string') return key;
    if (left === 0) throw new Error(key);
    if (key !== MISSING) await takeAway(file);
    await putNewKey(file);
  }
}

/** Another may have put a good key into the place of the bad one meanwhile: that one goes back. */
async function takeAway(file: string): Promise<void> {
  const aside = nameBeside(file);
  try {
    await rename(file, aside).catch(unless('ENOENT'));
    if (typeof (await readChecksumKey(aside)) !== 'string') await link(aside, file).catch(unless('EEXIST'));
  } finally {
    await removeFile(aside);
  }
}

async function putNewKey(file: string): Promise<void> {
  const partial = nameBeside(file);
  try {
    await writeFile(partial, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
    await link(partial, file).catch(unless('EEXIST'));
  } finally {
    await removeFile(partial);
  }
}

const nameBeside = (file: string): string => `${file}.${randomUUID()}`;

const unless =
  (code: string) =>
  (thrown: unknown): void => {
    if ((thrown as NodeJS.ErrnoException).code !== code) throw thrown;
  };
