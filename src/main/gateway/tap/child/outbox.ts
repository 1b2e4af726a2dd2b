// The records on their way to main: in memory while it listens, in a file while it does not, counted when neither can
// take them. Must not know: frames. Whatever happens here, the frames themselves have gone on already.
import { type Gap, readRecords, RECORD_OVERHEAD, RecordKind, writeRecord } from '../linkProtocol.ts';
import type { Journal, RecordBatch, Spool } from './journal.ts';

export type Outbox = {
  add(kind: RecordKind, record: NewRecord, payload: Buffer, lead?: Buffer | null): number;
  /** Puts what was added where it outlives this process: call before a client hears of it. */
  secure(): void;
  /** Main listens from here on; what it has not acknowledged comes again, in order. */
  attach(send: (batch: Buffer) => void): void;
  detach(): void;
  acknowledge(seq: number): void;
  /** Sends what is there now instead of in a moment. */
  flush(): void;
  backlog(): number;
  lost(): number;
  lastSeq(): number;
  isEmpty(): boolean;
  /** Ends the files; what main has not acknowledged stays in them. */
  close(): void;
};

type OutboxLimits = {
  /** How long records wait for company. */
  flushMs: number;
  /** Bytes under way to main; more waits here. */
  inFlight: number;
  /** Bytes kept in memory; more goes to the file. */
  memory: number;
};
const OUTBOX_LIMITS: OutboxLimits = { flushMs: 5, inFlight: 4 << 20, memory: 32 << 20 };
type OutboxState = {
  spool: Spool;
  journal: Journal;
  limits: OutboxLimits;
  batches: Batches;
  send: ((batch: Buffer) => void) | null;
  /** Sealed, not yet sent; and sent, not yet acknowledged. */
  waiting: RecordBatch[];
  underWay: (RecordBatch & { isStored: boolean })[];
  waitingBytes: number;
  lostFrames: number;
  /** What is to be confessed once there is room again, by episode. */
  gaps: Map<string, { from: number; to: number; frames: number }>;
};

/** Records of one run of the tap. `spool` is where they go while main is away, `journal` where they outlive a kill. */
export function createOutbox(
  { spool, journal }: { spool: Spool; journal: Journal },
  limits: OutboxLimits = OUTBOX_LIMITS,
): Outbox {
  const batches = createBatches(limits.flushMs, () => flushBatches(state));
  const state: OutboxState = {
    spool,
    journal,
    limits,
    batches,
    send: null,
    waiting: [],
    underWay: [],
    waitingBytes: 0,
    lostFrames: 0,
    gaps: new Map(),
  };
  return {
    add: (...record) => batches.add(...record),
    secure: () => secure(state),
    attach: (to) => {
      state.send = to;
      flushBatches(state);
    },
    detach: () => {
      state.send = null;
      spool.rewind();
      // What main did not acknowledge comes again; the file keeps the order.
      state.waiting.unshift(...state.underWay.filter(({ isStored }) => !isStored));
      state.waitingBytes = batchBytes(state.waiting);
      state.underWay = [];
      flushBatches(state);
    },
    acknowledge: (upTo) => {
      state.underWay = state.underWay.filter(({ last }) => last > upTo);
      spool.acknowledge(upTo);
      journal.release(upTo);
      pump(state);
      confess(state);
    },
    flush: () => flushBatches(state),
    backlog: () =>
      batches.open() +
      recordsOf(state.waiting) +
      recordsOf(state.underWay.filter(({ isStored }) => !isStored)) +
      spool.records(),
    lost: () => state.lostFrames,
    lastSeq: () => batches.lastSeq(),
    close: () => {
      secure(state);
      journal.close();
    },
    isEmpty: () =>
      batches.open() === 0 && state.waiting.length === 0 && state.underWay.length === 0 && spool.isEmpty(),
  };
}

function secure({ batches, journal }: OutboxState): void {
  const pieces = batches.fresh();
  if (pieces.length > 0) journal.write(pieces, batches.lastSeq());
}

const batchBytes = (list: readonly RecordBatch[]): number =>
  list.reduce((sum, { bytes }) => sum + bytes.length, 0);
const recordsOf = (list: readonly RecordBatch[]): number =>
  list.reduce((sum, { records }) => sum + records, 0);

function flushBatches(state: OutboxState): void {
  for (const batch of state.batches.seal()) {
    state.waiting.push(batch);
    state.waitingBytes += batch.bytes.length;
  }
  pump(state);
  confess(state);
}

function takeBatch(state: OutboxState): RecordBatch | undefined {
  const next = state.waiting.shift();
  if (next !== undefined) state.waitingBytes -= next.bytes.length;
  return next;
}

/** To main as far as it keeps up; the file's records are older than those in memory. */
function pump(state: OutboxState): void {
  const { send, spool, limits, underWay } = state;
  if (send === null) return store(state);
  let inFlight = batchBytes(underWay);
  while (inFlight < limits.inFlight) {
    const stored = spool.next();
    const next = stored ?? takeBatch(state);
    if (next === undefined) break;
    underWay.push({ ...next, isStored: stored !== null });
    inFlight += next.bytes.length;
    send(next.bytes);
  }
  if (state.waitingBytes > limits.memory) store(state);
}

/** To the file, oldest first. What it does not take stays in memory while there is room; then the newest is lost. */
function store(state: OutboxState): void {
  const { waiting, spool, journal, limits, send } = state;
  for (let next = waiting[0]; next !== undefined && spool.write(next); next = waiting[0]) {
    takeBatch(state);
    // While main is away nothing older is under way.
    if (send === null) journal.release(next.last);
  }
  while (state.waitingBytes > limits.memory) {
    const newest = waiting.pop();
    if (newest === undefined) return;
    state.waitingBytes -= newest.bytes.length;
    lose(state, newest);
  }
}

function lose(state: OutboxState, { bytes, records }: RecordBatch): void {
  const { gaps } = state;
  state.lostFrames += records;
  for (const { episode, at } of readRecords(bytes).records) {
    const known = gaps.get(episode);
    gaps.set(episode, {
      from: Math.min(known?.from ?? at, at),
      to: Math.max(known?.to ?? at, at),
      frames: (known?.frames ?? 0) + 1,
    });
  }
}

/** Says what is missing, once that can be kept. */
function confess(state: OutboxState): void {
  const { gaps, batches, spool, limits } = state;
  if (gaps.size === 0 || spool.isFull() || state.waitingBytes > limits.memory / 2) return;
  const known = [...gaps];
  gaps.clear();
  const reason = spool.problem() ?? 'there was nowhere to keep them';
  for (const [episode, { from, to, frames }] of known) {
    const gap: Gap = { from_at: from, to_at: to, frames, reason };
    batches.add(RecordKind.gap, { episode, at: to }, Buffer.from(JSON.stringify(gap)));
  }
}

// Copying records one after the other into large pieces of memory: no object per record, few allocations.
type NewRecord = { episode: string; at: number; ref?: number; flags?: number };

type Batches = {
  add(kind: RecordKind, record: NewRecord, payload: Buffer, lead?: Buffer | null): number;
  seal(): RecordBatch[];
  /** The bytes of what was added since this was last asked. */
  fresh(): Buffer[];
  open(): number;
  lastSeq(): number;
};

const BATCH_CHUNK_BYTES = 128 * 1024;

/** `full` is called a moment after the first record of a batch, or when it has grown large. */
function createBatches(waitMs: number, full: () => void): Batches {
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
