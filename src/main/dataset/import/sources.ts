// Owns: the bytes of imported files, kept beside the log under their hash and given back as they were.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../../shared/failure.ts';
import { makeFolder } from '../../log/dataFolder.ts';
import { roomFor } from './bytes.ts';
import { LIMITS, sizeWords } from './limits.ts';

export type Staged = {
  path: string;
  sha256: string;
  bytes: number;
  /** Keeps it for good under its hash; the same bytes are kept once. */
  keep(): void;
  discard(): void;
};

export type Sources = {
  /** Copies a file in and hashes it on the way. */
  stage(from: string, options: { signal: AbortSignal; onBytes: (bytes: number) => void }): Promise<Staged>;
  /** Where a file is kept; null when it is not. */
  find(sha256: string): string | null;
  /** Removes a kept file: what was erased from the log must not stay beside it. */
  remove(sha256: string): void;
  /** Writes a kept file out, byte for byte. Throws `not_found`. */
  writeBack(sha256: string, to: string): Promise<void>;
};

const HASH = /^[0-9a-f]{64}$/;

/** `folder` is made when the first file comes. */
export function createSources(folder: string, newId: () => string): Sources {
  const find = (sha256: string): string | null => {
    const path = join(folder, sha256);
    return HASH.test(sha256) && existsSync(path) ? path : null;
  };
  return {
    find,
    stage: async (from, { signal, onBytes }) => {
      const { size } = statSync(from);
      if (size > LIMITS.fileBytes) {
        throw new Failure(
          'limit_exceeded',
          `the file is ${sizeWords(size)}; the limit is ${sizeWords(LIMITS.fileBytes)}`,
        );
      }
      makeFolder(folder);
      const path = join(folder, `.incoming-${newId()}`);
      const hash = createHash('sha256');
      let bytes = 0;
      const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          onBytes(bytes);
          yield chunk;
        }
      };
      const discard = (): void => rmSync(path, { force: true });
      try {
        const source = createReadStream(from, { highWaterMark: roomFor(size) });
        await pipeline(source, count, createWriteStream(path, { mode: 0o600 }), { signal });
      } catch (thrown) {
        discard();
        throw thrown;
      }
      const sha256 = hash.digest('hex');
      const staged: Staged = {
        path,
        sha256,
        bytes,
        keep: () => {
          if (staged.path !== path) return;
          const kept = join(folder, sha256);
          if (existsSync(kept)) discard();
          else renameSync(path, kept);
          staged.path = kept;
        },
        discard: () => {
          if (staged.path === path) discard();
        },
      };
      return staged;
    },
    remove: (sha256) => {
      const kept = find(sha256);
      if (kept !== null) rmSync(kept, { force: true });
    },
    writeBack: (sha256, to) => writeBack(find(sha256), sha256, to),
  };
}

async function writeBack(kept: string | null, sha256: string, to: string): Promise<void> {
  if (kept === null) {
    throw new Failure('not_found', `the file ${sha256.slice(0, 12)}… is not kept here`, {
      next: 'It was removed from the folder `sources` of the data folder.',
    });
  }
  await copyFile(kept, to);
}
