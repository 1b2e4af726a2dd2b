// Keeps what is slow to make and always the same in a file between runs, with a checksum only this user can make.
import { createHmac, randomUUID, timingSafeEqual, type Hmac } from 'node:crypto';
import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { errorMessage } from '../../shared/failure.ts';
import { makeChecksumKey, readChecksumKey } from './checksumKey.ts';
import { makeOwnFolder, openOwnFile, removeFile, troubleOfFolder } from './ownFiles.ts';

export type FileCache = {
  /** The bytes as they were kept; null when there are none, or none that can be trusted. */
  read(): Promise<Uint8Array | null>;
  keep(bytes: Uint8Array): Promise<void>;
  forget(): Promise<void>;
};

type FileCacheOptions = {
  file: string;
  /** Where the key of its checksum lies: not in the same folder. */
  keyFile: string;
  /** Hears, once for each cause, why a file that is there was not used or could not be kept. */
  tell: (why: string) => void;
};

const SUM_BYTES = 32;
/** What is hashed between two turns of the event loop. */
const CHUNK = 1024 * 1024;
const MAX_BYTES = 512 * CHUNK;

/** Only its owner can read or change the file: a checksum and the bytes. What is kept takes the place of others of its kind. */
export function fileCache({ file, keyFile, tell }: FileCacheOptions): FileCache {
  const told = new Set<string>();
  const tellOnce = (why: string): void => {
    if (told.has(why)) return;
    told.add(why);
    tell(why);
  };
  return {
    read: async () => {
      const found = await readTrusted(file, keyFile).catch((thrown: unknown) => errorMessage(thrown));
      if (typeof found !== 'string') return found;
      tellOnce(`was not used and is made anew: ${found}`);
      return null;
    },
    keep: async (bytes) => {
      const partial = `${file}.${randomUUID()}`;
      try {
        await makeOwnFolder(dirname(file));
        const key = await makeChecksumKey(keyFile);
        await removeFile(partial);
        await writeWithSum(partial, bytes, checksumOf(key, file));
        await rename(partial, file);
        await removeOthers(file);
      } catch (thrown) {
        await removeFile(partial);
        tellOnce(`could not be kept: ${errorMessage(thrown)}`);
      }
    },
    forget: () => removeFile(file),
  };
}

/** A file under another name has another checksum: what an older version kept cannot be passed off as this one’s. */
const checksumOf = (key: Buffer, file: string): Hmac =>
  createHmac('sha256', createHmac('sha256', key).update(basename(file)).digest());

/** The bytes; null where there is no file; a sentence where there is one that is not ours as we left it. */
async function readTrusted(file: string, keyFile: string): Promise<Uint8Array | string | null> {
  const handle = await openOwnFile(file);
  if (handle === null) return null;
  if (typeof handle === 'string') return handle;
  try {
    const trouble = await troubleOfFolder(dirname(file));
    if (trouble !== null) return trouble;
    const key = await readChecksumKey(keyFile);
    if (typeof key === 'string') return key;
    return (await readWithSum(handle, checksumOf(key, file))) ?? 'its checksum does not match';
  } finally {
    await handle.close();
  }
}

/** Hashes while it reads: the bytes that are checked are those that are used. */
async function readWithSum(handle: FileHandle, sum: Hmac): Promise<Uint8Array | null> {
  const { size } = await handle.stat();
  if (size < SUM_BYTES || size > MAX_BYTES) return null;
  const all = Buffer.allocUnsafe(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(all, at, Math.min(CHUNK, size - at), at);
    if (bytesRead === 0) return null;
    if (at + bytesRead > SUM_BYTES) sum.update(all.subarray(Math.max(at, SUM_BYTES), at + bytesRead));
    at += bytesRead;
  }
  return timingSafeEqual(sum.digest(), all.subarray(0, SUM_BYTES)) ? all.subarray(SUM_BYTES) : null;
}

async function writeWithSum(path: string, bytes: Uint8Array, sum: Hmac): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      sum.update(chunk);
      await writeAll(handle, chunk, SUM_BYTES + at);
    }
    await writeAll(handle, sum.digest(), 0);
  } finally {
    await handle.close();
  }
}

/** A disk that fills up takes a part. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

async function removeOthers(file: string): Promise<void> {
  const others = (await readdir(dirname(file))).filter(
    (name) => extname(name) === extname(file) && name !== basename(file),
  );
  await Promise.all(others.map((name) => rm(join(dirname(file), name))));
}
