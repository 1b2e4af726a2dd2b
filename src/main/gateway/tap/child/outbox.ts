// Owns: the records on their way to main: in memory while it listens, in a file while it does not, counted when neither
// can take them. Must not know: frames. Whatever happens here, the frames themselves have gone on already.
import { type Gap, readRecords, RECORD_OVERHEAD, RecordKind, type TapRecord, writeRecord } from '../link.ts';
import type { Batch, Spool } from './spool.ts';

export type Outbox = {
  /** Copies a record in. Returns its number. */
  add(
    kind: RecordKind,
    record: { episode: string; at: number; ref?: number; flags?: number },
    payload: Buffer,
    lead?: Buffer | null,
  ): number;
  /** Main listens from here on; what it has not acknowledged comes again, in order. */
  attach(send: (batch: Buffer) => void): void;
  detach(): void;
  acknowledge(seq: number): void;
  /** Sends what is there now instead of in a moment. */
  flush(): void;
  backlog(): number;
  lost(): number;
  lastSeq(): number;
  /** Whether everything was acknowledged. */
  isEmpty(): boolean;
};

type Lost = { from: number; to: number; frames: number };

export type OutboxLimits = {
  /** How long records wait for company. */
  flushMs: number;
  /** Bytes under way to main; more waits here. */
  inFlight: number;
  /** Bytes kept in memory; more goes to the file. */
  memory: number;
};
export const OUTBOX_LIMITS: OutboxLimits = { flushMs: 5, inFlight: 4 << 20, memory: 32 << 20 };
const CHUNK = 128 * 1024;

/** Records of one run of the tap. `spool` is where they go while main is away. */
export function createOutbox(spool: Spool, limits: OutboxLimits = OUTBOX_LIMITS): Outbox {
  let seq = 0;
  let chunk = Buffer.allocUnsafeSlow(CHUNK);
  let used = 0;
  let begun = 0;
  let records = 0;
  let timer: NodeJS.Timeout | null = null;
  let send: ((batch: Buffer) => void) | null = null;
  /** Sealed, not yet sent; sent, not yet acknowledged. */
  let waiting: Batch[] = [];
  let underWay: (Batch & { isStored: boolean })[] = [];
  let waitingBytes = 0;
  let underWayBytes = 0;
  let waitingRecords = 0;
  let underWayRecords = 0;
  let lostFrames = 0;
  const gaps = new Map<string, Lost>();

  const seal = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (records === 0) return;
    const bytes = chunk.subarray(begun, used);
    waiting.push({ bytes, records, last: seq });
    waitingBytes += bytes.length;
    waitingRecords += records;
    begun = used;
    records = 0;
  };
  const room = (needed: number): void => {
    if (used + needed <= chunk.length) return;
    seal();
    chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK, needed));
    used = 0;
    begun = 0;
  };
  const lose = (batch: Batch): void => {
    // Which episodes lost frames stands in the records' own heads.
    for (const { episode, at } of readRecords(batch.bytes).records) {
      const known = gaps.get(episode);
      gaps.set(episode, { from: known?.from ?? at, to: at, frames: (known?.frames ?? 0) + 1 });
    }
    lostFrames += batch.records;
  };
  const take = (): Batch | undefined => {
    const next = waiting.shift();
    if (next !== undefined) {
      waitingBytes -= next.bytes.length;
      waitingRecords -= next.records;
    }
    return next;
  };
  /** To the file, oldest first. What it does not take stays in memory while there is room; then the newest is lost. */
  const store = (): void => {
    for (let next = waiting[0]; next !== undefined && spool.write(next); next = waiting[0]) take();
    while (waitingBytes > limits.memory) {
      const newest = waiting.pop();
      if (newest === undefined) return;
      waitingBytes -= newest.bytes.length;
      waitingRecords -= newest.records;
      lose(newest);
    }
  };
  const pump = (): void => {
    if (send === null) return store();
    // The file's records are older than those in memory.
    while (underWayBytes < limits.inFlight) {
      const stored = spool.next();
      const next = stored ?? take();
      if (next === undefined) break;
      underWay.push({ ...next, isStored: stored !== null });
      underWayBytes += next.bytes.length;
      underWayRecords += next.records;
      send(next.bytes);
    }
    if (waitingBytes > limits.memory) store();
  };
  const confess = (): void => {
    if (gaps.size === 0 || waitingBytes > limits.memory / 2 || spool.isFull()) return;
    const known = [...gaps];
    gaps.clear();
    for (const [episode, { from, to, frames }] of known) {
      const gap: Gap = {
        from_at: from,
        to_at: to,
        frames,
        reason: spool.problem() ?? 'nowhere to keep them',
      };
      outbox.add(RecordKind.gap, { episode, at: to }, Buffer.from(JSON.stringify(gap)));
    }
  };
  const flush = (): void => {
    seal();
    pump();
    confess();
  };
  const outbox: Outbox = {
    add: (kind, { episode, at, ref = 0, flags = 0 }, payload, lead = null) => {
      room(RECORD_OVERHEAD + payload.length + (lead?.length ?? 0));
      seq += 1;
      const head: Omit<TapRecord, 'payload' | 'lead'> = { kind, flags, seq, at, episode, ref };
      used = writeRecord(chunk, used, head, lead, payload);
      records += 1;
      if (used - begun > CHUNK / 2) flush();
      else timer ??= setTimeout(flush, limits.flushMs);
      return seq;
    },
    attach: (to) => {
      send = to;
      flush();
    },
    detach: () => {
      send = null;
      spool.rewind();
      // What main did not acknowledge comes again; the file keeps the order.
      waiting = [...underWay.filter(({ isStored }) => !isStored), ...waiting];
      waitingBytes = waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
      waitingRecords = waiting.reduce((sum, one) => sum + one.records, 0);
      underWay = [];
      underWayBytes = 0;
      underWayRecords = 0;
      flush();
    },
    acknowledge: (upTo) => {
      while ((underWay[0]?.last ?? Number.POSITIVE_INFINITY) <= upTo) {
        const done = underWay.shift();
        underWayBytes -= done?.bytes.length ?? 0;
        underWayRecords -= done?.records ?? 0;
      }
      spool.acknowledge(upTo);
      pump();
      confess();
    },
    flush,
    backlog: () => records + waitingRecords + underWayRecords + spool.records(),
    lost: () => lostFrames,
    lastSeq: () => seq,
    isEmpty: () => records === 0 && waiting.length === 0 && underWay.length === 0 && spool.isEmpty(),
  };
  return outbox;
}
