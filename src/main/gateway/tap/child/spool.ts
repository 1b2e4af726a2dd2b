// The file that holds records while main is not listening: bounded, private, emptied once they were delivered.
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { errorMessage } from '../../../../shared/failure.ts';

/** Records that travel together; `last` is the number of the last one. */
export type RecordBatch = { bytes: Buffer; records: number; last: number };

export type Spool = {
  /** Keeps a batch. False when the file is full or cannot be written. */
  write(batch: RecordBatch): boolean;
  /** The oldest batch that was not read since the last rewind; null when all were. */
  next(): RecordBatch | null;
  /** What was read but not acknowledged is read again. */
  rewind(): void;
  acknowledge(upTo: number): void;
  records(): number;
  isEmpty(): boolean;
  isFull(): boolean;
  /** Why the last write was refused. */
  problem(): string | null;
  close(): void;
};

type SpooledBatch = { offset: number; length: number; records: number; last: number; isRead: boolean };

const SPOOL_MAX = 256 << 20;
const FULL = 'the file that keeps what nobody takes is full';

/** A spool at a path; the file is made with the first batch and removed with the last. */
export function createSpool(path: string, max = SPOOL_MAX): Spool {
  let kept: SpooledBatch[] = [];
  let handle: number | null = null;
  let end = 0;
  let problem: string | null = null;

  const drop = (): void => {
    if (handle === null) return;
    closeSync(handle);
    handle = null;
    end = 0;
    rmSync(path, { force: true });
  };
  return {
    // In step, not in the background: memory would grow behind a disk that is slower than the frames.
    write: ({ bytes, records, last }) => {
      if (end + bytes.length > max) {
        problem = FULL;
        return false;
      }
      try {
        handle ??= openSync(path, 'w+', 0o600);
        writeAt(handle, bytes, end);
      } catch (thrown) {
        problem = errorMessage(thrown);
        if (handle !== null) ftruncateSync(handle, end);
        return false;
      }
      problem = null;
      kept.push({ offset: end, length: bytes.length, records, last, isRead: false });
      if ((kept.at(-2)?.last ?? 0) > last) kept.sort((a, b) => a.last - b.last);
      end += bytes.length;
      return true;
    },
    next: () => {
      const found = kept.find(({ isRead }) => !isRead);
      if (found === undefined || handle === null) return null;
      found.isRead = true;
      const bytes = Buffer.allocUnsafe(found.length);
      readSync(handle, bytes, 0, found.length, found.offset);
      return { bytes, records: found.records, last: found.last };
    },
    rewind: () => {
      for (const one of kept) one.isRead = false;
    },
    acknowledge: (upTo) => {
      if (kept.length === 0) return;
      kept = kept.filter(({ last }) => last > upTo);
      if (kept.length === 0) drop();
    },
    records: () => kept.reduce((sum, { records }) => sum + records, 0),
    isEmpty: () => kept.length === 0,
    isFull: () => problem !== null && end > max / 2,
    problem: () => problem,
    close: () => {
      if (handle === null) return;
      fsyncSync(handle);
      closeSync(handle);
      handle = null;
    },
  };
}

function writeAt(handle: number, bytes: Buffer, at: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, at + written);
  }
}
