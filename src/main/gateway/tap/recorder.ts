// Owns: batches of records into the log, each once and in order. While the log cannot be written nothing is read on:
// the tap keeps what it has, and the frames go on without us.
import { SYSTEM } from '../../../shared/events/actor.ts';
import { Failure } from '../../../shared/failure.ts';
import type { EventLog, TimedEntry } from '../../log/eventLog.ts';
import { readRecords, type TapRecord } from './link.ts';
import type { Translator } from './translate.ts';

export type Recorder = {
  /** Takes a batch in; `committed` is called with the last record's number once it is in the log. */
  take(batch: Buffer): void;
  close(): void;
};

type Parts = {
  log: EventLog;
  translator: Translator;
  /** The run of the tap's process; its records are counted from 1. */
  run: string;
  committed: (seq: number, records: readonly TapRecord[]) => void;
  /** The log cannot be written now; and again. */
  stuck: (isStuck: boolean) => void;
  schedule: (delayMs: number, run: () => void) => () => void;
  report: (thrown: unknown) => void;
};

type Streams = { stream: string; entries: TimedEntry[] }[];
const RETRY_MS = 500;

export const markOf = (run: string): string => `tap:${run}`;

export function createRecorder(parts: Parts): Recorder {
  const { log, translator, run, committed, stuck, schedule, report } = parts;
  const queue: Buffer[] = [];
  let last = log.mark(markOf(run));
  let undo: (() => void) | null = null;

  /** True when it is in the log, or never will be. */
  const write = (streams: Streams, records: readonly TapRecord[]): boolean => {
    const value = records.at(-1)?.seq ?? last;
    try {
      log.appendMany(streams, { name: markOf(run), value });
    } catch (thrown) {
      if (isDisk(thrown)) return false;
      report(thrown);
      writeApart(log, streams, { name: markOf(run), value }, report);
    }
    last = value;
    return true;
  };
  let ready: { streams: Streams; records: TapRecord[] } | null = null;
  const pump = (): void => {
    undo = null;
    for (;;) {
      if (ready === null) {
        const batch = queue.shift();
        if (batch === undefined) return;
        const records = readRecords(batch).records.filter(({ seq }) => seq > last);
        ready = { records, streams: translator.translate(records) };
      }
      if (!write(ready.streams, ready.records)) {
        stuck(true);
        undo = schedule(RETRY_MS, pump);
        return;
      }
      stuck(false);
      const { records } = ready;
      ready = null;
      committed(last, records);
    }
  };
  return {
    take: (batch) => {
      queue.push(batch);
      if (undo === null) pump();
    },
    close: () => undo?.(),
  };
}

const isDisk = (thrown: unknown): boolean =>
  thrown instanceof Failure && (thrown.code === 'data_unwritable' || thrown.code === 'data_in_use');

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
        missing(log, stream, entry, thrown, report);
      }
    }
  }
}

function missing(
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
