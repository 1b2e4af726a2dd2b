// Batches of records into the log, each once and in order. While the log cannot be written nothing is read on: the
// tap keeps what it has, and the frames go on without us.
import { SYSTEM } from '../../../shared/events/actor.ts';
import { Failure } from '../../../shared/failure.ts';
import type { EventLog, TimedEntry } from '../../log/eventLog.ts';
import { HELD_FLAG, readRecords, type TapRecord } from './linkProtocol.ts';
import type { Translator } from './translate.ts';

export type Recorder = {
  /** Takes a batch in; `committed` is called with the last record's number once it is in the log. */
  take(batch: Buffer): void;
  /** The same with records that were read already. */
  takeRecords(records: readonly TapRecord[]): void;
  /** Writes what waits for company now. Whether everything is in the log. */
  flush(): boolean;
  /** The same with one transaction's worth of it. Whether something came into the log. */
  writeSome(): boolean;
  close(): void;
};

type RecorderDependencies = {
  log: EventLog;
  translator: Translator;
  /** The run of the tap's process; its records are counted from 1. */
  run: string;
  committed: (seq: number, records: readonly TapRecord[]) => void;
  /** The log cannot be written now; and again. */
  stuck: (isStuck: boolean) => void;
  schedule: (delayMs: number, run: () => void) => () => void;
  /** What has to be known before these records can be read; null where all of it is. */
  prepare?: (records: readonly TapRecord[]) => Promise<void> | null;
  report: (thrown: unknown) => void;
};

type Streams = { stream: string; entries: TimedEntry[] }[];
const RECORD_RETRY_MS = 500;

export const tapMark = (run: string): string => `tap:${run}`;

/** Transactions are this far apart under load: a step costs less among many, and nobody sees faster than this. */
const COMMIT_EVERY_MS = 80;
/** Records in one transaction: so many that it holds up for about this long whatever else main has to do. */
const RECORDS_MIN = 30;
const RECORDS_MAX = 1_200;
const TRANSACTION_MS = 10;

/** How many records a transaction takes in, by what those before it took. */
export function createPace(now: () => number = () => performance.now()) {
  let count = RECORDS_MIN;
  return {
    count: (): number => count,
    /** Carries out a transaction of so many. */
    time: <T>(records: number, work: () => T): T => {
      const began = now();
      const done = work();
      const took = now() - began;
      if (took > TRANSACTION_MS) count = Math.max(RECORDS_MIN, Math.floor(count / 2));
      else if (records >= count && took < TRANSACTION_MS / 2) count = Math.min(RECORDS_MAX, count * 2);
      return done;
    },
  };
}

type PreparedRecords = { streams: Streams; records: TapRecord[] };

export function createRecorder(parts: RecorderDependencies): Recorder {
  const { log, translator, run, committed, stuck, schedule, prepare = () => null } = parts;
  let isPreparing = false;
  const pace = createPace();
  const queue: TapRecord[] = [];
  let last = log.mark(tapMark(run));
  let committedAt = Number.NEGATIVE_INFINITY;
  let undo: (() => void) | null = null;
  let ready: PreparedRecords | null = null;

  const prepared = (): void => {
    isPreparing = false;
    pump();
  };
  const pump = (): void => {
    undo = null;
    if (ready === null) {
      if (isPreparing) return;
      const preparing = prepare(queue.slice(0, pace.count()));
      isPreparing = preparing !== null;
      if (preparing !== null) return void preparing.then(prepared, prepared);
      const records = queue.splice(0, pace.count());
      if (records.length === 0) return;
      ready = { records, streams: translator.translate(records) };
    }
    const now = ready;
    const isWritten = pace.time(now.records.length, () => write(parts, now, last));
    stuck(!isWritten);
    if (!isWritten) return void (undo = schedule(RECORD_RETRY_MS, pump));
    committedAt = performance.now();
    const { records } = now;
    last = records.at(-1)?.seq ?? last;
    ready = null;
    if (queue.length > 0) undo = schedule(0, pump);
    committed(last, records);
  };
  const writeSome = (): boolean => {
    undo?.();
    const before = last;
    pump();
    return last > before;
  };
  const takeRecords = (records: readonly TapRecord[]): void => {
    const fresh = records.filter(({ seq }) => seq > last);
    for (const record of fresh) queue.push(record);
    if (ready !== null) return;
    const wait = fresh.some(isUrgent) ? 0 : committedAt + COMMIT_EVERY_MS - performance.now();
    if (wait <= 0) writeSome();
    else undo ??= schedule(wait, pump);
  };
  return {
    take: (batch) => takeRecords(readRecords(batch).records),
    takeRecords,
    flush: () => {
      while (writeSome());
      return queue.length === 0 && ready === null;
    },
    writeSome,
    close: () => undo?.(),
  };
}

/** Its client waits for a person's word. */
const isUrgent = ({ flags }: TapRecord): boolean => (flags & HELD_FLAG) !== 0;

/** True when it is in the log, or never will be. */
function write(
  { log, run, report }: RecorderDependencies,
  { streams, records }: PreparedRecords,
  last: number,
): boolean {
  const mark = { name: tapMark(run), value: records.at(-1)?.seq ?? last };
  try {
    log.appendMany(streams, mark);
  } catch (thrown) {
    if (isDisk(thrown)) return false;
    report(thrown);
    writeApart(log, streams, mark, report);
  }
  return true;
}

const DISK: ReadonlySet<string> = new Set(['data_unwritable', 'data_in_use', 'log_damaged']);
const isDisk = (thrown: unknown): boolean => thrown instanceof Failure && DISK.has(thrown.code);

/** One episode's frames must not keep the others' out: what the log refuses is said to be missing. */
function writeApart(
  log: EventLog,
  streams: Streams,
  mark: { name: string; value: number },
  report: (thrown: unknown) => void,
): void {
  for (const { stream, entries } of streams) {
    for (const entry of entries) {
      try {
        log.appendMany([{ stream, entries: [entry] }], mark);
      } catch (thrown) {
        report(thrown);
        recordGap(log, stream, entry, thrown, report);
      }
    }
  }
}

function recordGap(
  log: EventLog,
  stream: string,
  { at }: TimedEntry,
  why: unknown,
  report: (thrown: unknown) => void,
): void {
  const reason = `the log refused it: ${why instanceof Error ? why.message.slice(0, 300) : String(why)}`;
  const when = at ?? 0;
  try {
    log.append(stream, SYSTEM, { kind: 'recording.gap', from_at: when, to_at: when, frames: 1, reason });
  } catch (thrown) {
    report(thrown);
  }
}
