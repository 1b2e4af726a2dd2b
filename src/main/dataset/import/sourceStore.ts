// Keeps the bytes of imported files beside the log under their hash, and gives them back unchanged.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { copyFile, open, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../shared/failure.ts';
import { makeFolder } from '../../log/dataFolder.ts';
import { fileChunks, type Chunks } from './bytes.ts';
import { LIMITS, sizeWords } from './limits.ts';

export type StagedFile = {
  path: string;
  sha256: string;
  bytes: number;
  /** Its bytes from the beginning. */
  chunks(signal: AbortSignal): Chunks;
  /** Keeps it for good under its hash; the same bytes are kept once. */
  keep(): void;
  discard(): void;
};

type Staging = {
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
  /** The file came in for this alone: it is moved, not copied. */
  isOurs: boolean;
};

/** A file on its way in. A small one is read once, however often it is looked at. */
type OpenedSource = {
  chunks(): Chunks;
  /** Takes it in and hashes it on the way. */
  stage(how: Staging): Promise<StagedFile>;
};

export type SourceStore = {
  open(from: string, bytes: number, signal: AbortSignal): OpenedSource;
  /** Where a file is kept; null when it is not. */
  find(sha256: string): string | null;
  /** Removes a kept file: what was erased from the log must not stay beside it. */
  remove(sha256: string): void;
  /** Writes a kept file out, byte for byte. Throws `not_found`. */
  writeBack(sha256: string, to: string): Promise<void>;
};

const HASH = /^[0-9a-f]{64}$/;
const SMALL_FILE_BYTES = 1024 * 1024;
const COPY_CHUNK_BYTES = 1024 * 1024;

/** `folder` is made when the first file comes. */
export function createSourceStore(folder: string, newId: () => string): SourceStore {
  const find = (sha256: string): string | null => {
    const path = join(folder, sha256);
    return HASH.test(sha256) && existsSync(path) ? path : null;
  };
  return {
    find,
    open: (from, bytes, signal) => {
      const content = bytes <= SMALL_FILE_BYTES ? readSmall(from, bytes) : null;
      return {
        chunks: () => (content === null ? fileChunks(from, bytes, signal) : singleChunk(content)),
        stage: async (how) => {
          if (bytes > LIMITS.fileBytes) {
            const words = `the file is ${sizeWords(bytes)}; the limit is ${sizeWords(LIMITS.fileBytes)}`;
            throw new Failure('limit_exceeded', words);
          }
          makeFolder(folder);
          const path = join(folder, `.incoming-${newId()}`);
          return content === null
            ? stagedAt(folder, path, await takeIn(from, path, how), null)
            : stagedAt(folder, path, writeSmall(content, path, how), content);
        },
      };
    },
    remove: (sha256) => {
      const kept = find(sha256);
      if (kept !== null) rmSync(kept, { force: true });
    },
    writeBack: (sha256, to) => writeBack(find(sha256), sha256, to),
  };
}

type CopiedFile = { sha256: string; bytes: number };

function stagedAt(
  folder: string,
  path: string,
  { sha256, bytes }: CopiedFile,
  content: Buffer | null,
): StagedFile {
  const staged: StagedFile = {
    path,
    sha256,
    bytes,
    chunks: (signal) => (content === null ? fileChunks(staged.path, bytes, signal) : singleChunk(content)),
    keep: () => {
      if (staged.path !== path) return;
      const kept = join(folder, sha256);
      if (existsSync(kept)) rmSync(path, { force: true });
      else renameSync(path, kept);
      staged.path = kept;
    },
    discard: () => {
      if (staged.path === path) rmSync(path, { force: true });
    },
  };
  return staged;
}

async function* singleChunk(content: Buffer): AsyncGenerator<Buffer> {
  if (content.length > 0) yield content;
}

/** The bytes as they are now; a file that has shrunk meanwhile ends earlier. */
function readSmall(from: string, bytes: number): Buffer {
  const file = openSync(from, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    let at = 0;
    for (let got = -1; got !== 0 && at < bytes; at += got) got = readSync(file, buffer, at, bytes - at, null);
    return buffer.subarray(0, at);
  } finally {
    closeSync(file);
  }
}

function writeSmall(content: Buffer, path: string, { onBytes }: Staging): CopiedFile {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < content.length;) at += writeSync(file, content, at);
  } catch (thrown) {
    rmSync(path, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
  onBytes(content.length);
  return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}

/** Copies or moves a file to `to`, hashing it on the way; nothing stays there when it cannot be done. */
async function takeIn(from: string, to: string, { signal, onBytes, isOurs }: Staging): Promise<CopiedFile> {
  const isMoved = isOurs && (await isMovable(from, to));
  const source = await open(isMoved ? to : from, 'r');
  const target = isMoved ? null : await open(to, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    // The next piece is read while this one is written and hashed.
    const [one, other] = [Buffer.allocUnsafeSlow(COPY_CHUNK_BYTES), Buffer.allocUnsafeSlow(COPY_CHUNK_BYTES)];
    const read = async (buffer: Buffer): Promise<Buffer> =>
      buffer.subarray(0, (await source.read(buffer, 0, COPY_CHUNK_BYTES, null)).bytesRead);
    let [chunk, free] = [await read(one), other];
    while (chunk.length > 0) {
      signal.throwIfAborted();
      const next = read(free);
      const written = target === null ? null : writeChunk(target, chunk);
      hash.update(chunk);
      await Promise.all([next, written]);
      bytes += chunk.length;
      onBytes(bytes);
      free = free === one ? other : one;
      chunk = await next;
    }
    return { sha256: hash.digest('hex'), bytes };
  } catch (thrown) {
    rmSync(to, { force: true });
    throw thrown;
  } finally {
    await source.close();
    await target?.close();
  }
}

async function writeChunk(target: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await target.write(chunk, at)).bytesWritten;
}

/** Moves it where one file system holds both. */
async function isMovable(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch {
    return false;
  }
}

async function writeBack(kept: string | null, sha256: string, to: string): Promise<void> {
  if (kept === null) {
    throw new Failure('not_found', `the file ${sha256.slice(0, 12)}… is not kept here`, {
      next: 'It was removed from the folder `sources` of the data folder.',
    });
  }
  await copyFile(kept, to);
}
