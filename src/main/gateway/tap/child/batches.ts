// Copying records one after the other into large pieces of memory: no object per record, few allocations.
import { RECORD_OVERHEAD, writeRecord, type RecordKind } from '../linkProtocol.ts';
import type { RecordBatch } from './spool.ts';

export type NewRecord = { episode: string; at: number; ref?: number; flags?: number };

export type Batches = {
  /** Copies a record in. Returns its number. */
  add(kind: RecordKind, record: NewRecord, payload: Buffer, lead?: Buffer | null): number;
  /** What was added since the last time. */
  seal(): RecordBatch[];
  /** The bytes of what was added since this was last asked. */
  fresh(): Buffer[];
  /** Records that were added and not sealed. */
  open(): number;
  lastSeq(): number;
};

const BATCH_CHUNK_BYTES = 128 * 1024;

/** `full` is called a moment after the first record of a batch, or when it has grown large. */
export function createBatches(waitMs: number, full: () => void): Batches {
  let seq = 0;
  let chunk = Buffer.allocUnsafeSlow(BATCH_CHUNK_BYTES);
  let used = 0;
  let begun = 0;
  let seenTo = 0;
  let unseen: Buffer[] = [];
  let records = 0;
  let sealed: RecordBatch[] = [];
  let timer: NodeJS.Timeout | null = null;

  const close = (): void => {
    if (records > 0) sealed.push({ bytes: chunk.subarray(begun, used), records, last: seq });
    begun = used;
    records = 0;
  };
  const look = (): void => {
    if (used > seenTo) unseen.push(chunk.subarray(seenTo, used));
    seenTo = used;
  };
  const makeRoom = (needed: number): void => {
    if (used + needed <= chunk.length) return;
    close();
    look();
    chunk = Buffer.allocUnsafeSlow(Math.max(BATCH_CHUNK_BYTES, needed));
    used = 0;
    begun = 0;
    seenTo = 0;
  };
  return {
    add: (kind, { episode, at, ref = 0, flags = 0 }, payload, lead = null) => {
      makeRoom(RECORD_OVERHEAD + payload.length + (lead?.length ?? 0));
      seq += 1;
      used = writeRecord(chunk, used, { kind, flags, seq, at, episode, ref }, lead, payload);
      records += 1;
      const number = seq;
      if (used - begun > BATCH_CHUNK_BYTES / 2) full();
      else timer ??= setTimeout(full, waitMs);
      return number;
    },
    seal: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      close();
      const all = sealed;
      sealed = [];
      return all;
    },
    fresh: () => {
      look();
      const all = unseen;
      unseen = [];
      return all;
    },
    open: () => records + sealed.reduce((sum, batch) => sum + batch.records, 0),
    lastSeq: () => seq,
  };
}
