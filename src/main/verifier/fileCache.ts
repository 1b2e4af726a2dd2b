// Keeps what is slow to make and always the same in a file between runs.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

export type FileCache = {
  /** The bytes as they were kept; null when there are none, or not those. */
  read(): Promise<Uint8Array | null>;
  keep(bytes: Uint8Array): Promise<void>;
  forget(): Promise<void>;
};

const digestOfBytes = async (bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes));
const SUM_BYTES = 32;

/** Only its owner can read or change the file: a checksum and the bytes. What is kept takes the place of others of its kind. */
export function fileCache(file: string): FileCache {
  return {
    read: async () => {
      try {
        const all = await readFile(file);
        const bytes = all.subarray(SUM_BYTES);
        return (await digestOfBytes(bytes)).equals(all.subarray(0, SUM_BYTES)) ? bytes : null;
      } catch {
        return null;
      }
    },
    keep: async (bytes) => {
      const partial = `${file}.${String(process.pid)}`;
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(partial, [await digestOfBytes(new Uint8Array(bytes)), bytes], { mode: 0o600 });
        await rename(partial, file);
        const others = (await readdir(dirname(file))).filter(
          (name) => extname(name) === extname(file) && name !== basename(file),
        );
        await Promise.all(others.map((name) => rm(join(dirname(file), name))));
      } catch {
        await remove(partial);
      }
    },
    forget: () => remove(file),
  };
}

/** Nothing where its folder is none. */
const remove = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined);
