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
  /** Writes what waits for company now. Whether everything is in the log. */
  flush(): boolean;
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
/** Records in one transaction: more would hold up whatever else main has to do. */
const RECORDS_MAX = 1_200;

type PreparedRecords = { streams: Streams; records: TapRecord[] };

export function createRecorder(parts: RecorderDependencies): Recorder {
  const { log, translator, run, committed, stuck, schedule, prepare = () => null } = parts;
  let isPreparing = false;
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
      const preparing = prepare(queue.slice(0, RECORDS_MAX));
      isPreparing = preparing !== null;
      if (preparing !== null) return void preparing.then(prepared, prepared);
      const records = queue.splice(0, RECORDS_MAX);
      if (records.length === 0) return;
      ready = { records, streams: translator.translate(records) };
    }
    const isWritten = write(parts, ready, last);
    stuck(!isWritten);
    if (!isWritten) {
      undo = schedule(RECORD_RETRY_MS, pump);
      return;
    }
    committedAt = performance.now();
    const { records } = ready;
    last = records.at(-1)?.seq ?? last;
    ready = null;
    if (queue.length > 0) undo = schedule(0, pump);
    committed(last, records);
  };
  return {
    take: (batch) => {
      let isUrgent = false;
      for (const record of readRecords(batch).records) {
        if (record.seq <= last) continue;
        queue.push(record);
        isUrgent ||= (record.flags & HELD_FLAG) !== 0;
      }
      if (ready !== null) return;
      const wait = isUrgent ? 0 : committedAt + COMMIT_EVERY_MS - performance.now();
      if (wait <= 0) {
        undo?.();
        pump();
      } else undo ??= schedule(wait, pump);
    },
    flush: () => {
      undo?.();
      do pump();
      while (queue.length > 0 && ready === null && !isPreparing);
      return queue.length === 0 && ready === null;
    },
    close: () => undo?.(),
  };
}

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
