// Owns: what takes long to make and is the same every time, kept in a file between runs of the product.
// Must not know: what it is. Whatever is wrong with the file, it is made again; whatever is wrong with the disk, it is not kept.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

export type Kept = {
  /** The bytes as they were kept; null when there are none, or not those. */
  read(): Uint8Array | null;
  keep(bytes: Uint8Array): void;
  forget(): void;
};

const sumOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const SUM_BYTES = 32;

/** Only its owner can read or change the file: a checksum and the bytes. What is kept takes the place of others of its kind. */
export function keptIn(file: string): Kept {
  return {
    read: () => {
      try {
        const all = readFileSync(file);
        const bytes = all.subarray(SUM_BYTES);
        return sumOf(bytes).equals(all.subarray(0, SUM_BYTES)) ? bytes : null;
      } catch {
        return null;
      }
    },
    keep: (bytes) => {
      const partial = `${file}.${String(process.pid)}`;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(partial, Buffer.concat([sumOf(bytes), bytes]), { mode: 0o600 });
        renameSync(partial, file);
        for (const name of readdirSync(dirname(file))) {
          if (extname(name) === extname(file) && name !== basename(file)) rmSync(join(dirname(file), name));
        }
      } catch {
        remove(partial);
      }
    },
    forget: () => remove(file),
  };
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its folder is none.
  }
}
