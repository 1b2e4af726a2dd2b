// Batches of records into the log, each once and in order. While the log cannot be written nothing is read on: the
// tap keeps what it has, and the frames go on without us.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { endedWithoutVerdict } from '../../../shared/episode/phase.ts';
import { SYSTEM } from '../../../shared/events/actor.ts';
import { Failure } from '../../../shared/failure.ts';
import type { EventLog, TimedEntry } from '../../log/eventLog.ts';
import { HELD_FLAG, readRecords, type TapRecord, type Unsaved, UNSAVED_BYTES } from './linkProtocol.ts';
import type { TapLink } from './tapLink.ts';
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

/** Paces the records that a transaction takes in, by what those before it took. */
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

// Leftovers of taps that are gone: records that nobody took, frames that none could keep, episodes that nobody plays
// any more.
type LeftoversDependencies = {
  log: EventLog;
  dataFolder: string;
  report: (thrown: unknown) => void;
  /** What has to be known before records can be read; null where all of it is. */
  prepare: (records: readonly TapRecord[]) => Promise<void> | null;
};

/** The spool has what main could not take, the journal what main had not taken by the last answer to a client. */
const LEFT_FILE = /^tap-(\w+)\.(?:spool|[ab]\.journal|unsaved)$/;

const NOTHING_UNSAVED: Unsaved = { records: [], more: {}, rest: 0 };
const UNCOUNTED =
  'the disk was full when the tap’s process began, and it died: frames may be missing after this that nobody could count';

/**
 * Takes in the leftovers of taps that died. Files whose records are in the log are removed. False if one had no room to
 * count what it could not keep.
 */
export async function takeLeftovers(
  parts: LeftoversDependencies,
  run: string,
  recorderOf: (run: string) => Recorder,
): Promise<boolean> {
  const names = readdirSync(parts.dataFolder);
  const runs = new Set(names.flatMap((name) => LEFT_FILE.exec(name)?.[1] ?? []));
  runs.delete(run);
  let isCounted = true;
  for (const other of runs) {
    const recorder = recorderOf(other);
    try {
      if (!(await takeRun(parts, other, recorder))) isCounted = false;
    } catch (thrown) {
      parts.report(thrown);
    } finally {
      recorder.close();
    }
  }
  return isCounted;
}

async function takeRun(parts: LeftoversDependencies, run: string, recorder: Recorder): Promise<boolean> {
  const { log, dataFolder, prepare } = parts;
  const pathOf = (kind: string): string => join(dataFolder, `tap-${run}.${kind}`);
  const taken = log.mark(tapMark(run));
  const bySeq = new Map<number, TapRecord>();
  for (const kind of ['spool', 'a.journal', 'b.journal']) {
    for (const record of recordsIn(pathOf(kind))) if (record.seq > taken) bySeq.set(record.seq, record);
  }
  const records = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
  await prepare(records);
  recorder.takeRecords(records);
  if (!recorder.flush()) return true;
  const unsaved = readUnsaved(pathOf('unsaved'));
  if (unsaved !== null) recordUnsaved(log, run, taken, unsaved, bySeq);
  for (const kind of ['spool', 'a.journal', 'b.journal', 'unsaved']) rmSync(pathOf(kind), { force: true });
  return unsaved !== null;
}

const recordsIn = (path: string): TapRecord[] =>
  existsSync(path) ? readRecords(readFileSync(path)).records : [];

const UnsavedFile: z.ZodType<Unsaved> = z.strictObject({
  records: z.array(z.tuple([z.number(), z.number(), z.string()])),
  more: z.record(z.string(), z.tuple([z.number(), z.number(), z.number(), z.number()])),
  rest: z.number(),
});

/** The file's counts; null if the disk had no room for it, so that nothing was counted. */
function readUnsaved(path: string): Unsaved | null {
  const text = existsSync(path) ? readFileSync(path, 'latin1') : null;
  if (text === null) return NOTHING_UNSAVED;
  if (text.length < UNSAVED_BYTES) return null;
  return text.trim() === '' ? NOTHING_UNSAVED : UnsavedFile.parse(JSON.parse(text));
}

type Gap = { frames: number; from: number; to: number };

/** Says of each episode how many frames passed that nothing could keep: they are answered, and are nowhere. */
function recordUnsaved(
  log: EventLog,
  run: string,
  taken: number,
  { records, more, rest }: Unsaved,
  kept: ReadonlyMap<number, TapRecord>,
): void {
  const gaps = new Map<string, Gap>();
  let last = 0;
  const add = (stream: string, { frames, from, to }: Gap, seq: number): void => {
    const known = gaps.get(stream) ?? { frames: 0, from, to };
    gaps.set(stream, {
      frames: known.frames + frames,
      from: Math.min(known.from, from),
      to: Math.max(known.to, to),
    });
    last = Math.max(last, seq);
  };
  for (const [seq, at, episode] of records)
    if (seq > taken && !kept.has(seq)) add(episode, { frames: 1, from: at, to: at }, seq);
  for (const [episode, [frames, from, to, seq]] of Object.entries(more))
    if (seq > taken) add(episode, { frames, from, to }, seq);
  if (gaps.size === 0) return;
  const others = rest === 0 ? '' : `, and ${String(rest)} more of clients that there was no room to name`;
  const batch = [...gaps].map(([stream, gap]) => ({
    stream,
    entries: [gapEntry(gap, `the tap’s process died with frames that it could not keep${others}`)],
  }));
  log.appendMany(batch, { name: tapMark(run), value: Math.max(last, log.mark(tapMark(run))) });
}

const gapEntry = ({ frames, from, to }: Gap, reason: string) => ({
  at: null,
  actor: SYSTEM,
  event: { kind: 'recording.gap' as const, from_at: from, to_at: to, frames, reason },
});

/** The least number of missing frames, if nobody could count. */
const AT_LEAST = 1;

/**
 * Ends the episodes of clients that no tap plays. `isCounted` is false where a tap died that had no room to count what it
 * could not keep: each of them may miss frames then, and says so.
 */
export function endOrphans(log: EventLog, live: ReadonlySet<string>, isCounted = true): void {
  for (const episode of log.projections.open()) {
    const { started, updatedAt } = log.record(episode);
    if (live.has(episode) || started?.source !== 'tap') continue;
    const at = updatedAt ?? 0;
    if (!isCounted)
      log.append(episode, SYSTEM, gapEntry({ frames: AT_LEAST, from: at, to: at }, UNCOUNTED).event);
    log.append(episode, SYSTEM, endedWithoutVerdict('interrupted', 'the tap ended before the episode did'));
  }
}

// Waits until the log has all that the tap has told its clients, before one is answered about its episode: records
// travel in batches.
type AttachedTap = { link: Pick<TapLink, 'send' | 'hello'>; recorder: Pick<Recorder, 'writeSome'> };

type CaughtUpDependencies = {
  log: Pick<EventLog, 'mark'>;
  schedule: (delayMs: number, run: () => void) => () => void;
};

export type CaughtUp = {
  attached(tap: AttachedTap): void;
  detached(): void;
  /** The answer to a ping: the last record that was sent before it. */
  ponged(id: number, seq: number | null): void;
  committed(): void;
  /** Resolves once the tap's process has heard all that was told it: the last record it had sent, null where it is gone. */
  ping(): Promise<number | null>;
  /** Resolves with true once all that the tap has told its clients by now is in the log; with false where it took too long. */
  recorded(): Promise<boolean>;
};

/** A log or a tap that is behind by more than this is broken, or works on something large. */
const RECORDED_MS = 4_000;

export function createCaughtUp({ log, schedule }: CaughtUpDependencies): CaughtUp {
  let tap: AttachedTap | null = null;
  const pings = createPings();
  let listeners: (() => void)[] = [];
  const tellNews = (): void => {
    const waiting = listeners;
    listeners = [];
    for (const listener of waiting) listener();
  };
  const news = (): Promise<void> => new Promise((resolve) => listeners.push(resolve));
  const ping = (): Promise<number | null> => (tap === null ? Promise.resolve(null) : pings.send(tap.link));
  const allIn = async (isLate: () => boolean): Promise<boolean> => {
    while (!isLate()) {
      const asked = tap;
      const seq = await ping();
      const mark = asked === null ? '' : tapMark(asked.link.hello.run);
      // A process that died meanwhile left its records in files, which are taken in before another one is attached.
      while (asked !== null && seq !== null && tap === asked && !isLate()) {
        if (log.mark(mark) >= seq) return true;
        if (asked.recorder.writeSome()) await yieldToEventLoop();
        else if (log.mark(mark) < seq) await news();
      }
      if (tap === null && !isLate()) await news();
    }
    return false;
  };
  const recorded = async (): Promise<boolean> => {
    let isLate = false;
    let cancel = (): void => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = schedule(RECORDED_MS, () => {
        isLate = true;
        tellNews();
        resolve(false);
      });
    });
    return Promise.race([allIn(() => isLate), late]).finally(cancel);
  };
  return {
    attached: (now) => {
      tap = now;
      tellNews();
    },
    detached: () => {
      tap = null;
      pings.drop();
    },
    ponged: (id, seq) => pings.ponged(id, seq),
    committed: tellNews,
    ping,
    recorded: createTogether(recorded),
  };
}

function createPings() {
  const waiting = new Map<number, (seq: number | null) => void>();
  let last = 0;
  return {
    send: (link: AttachedTap['link']): Promise<number | null> => {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        link.send({ type: 'ping', id });
      });
    },
    ponged: (id: number, seq: number | null): void => {
      waiting.get(id)?.(seq);
      waiting.delete(id);
    },
    /** Whoever waits for a process that is gone waits for nothing. */
    drop: (): void => {
      for (const resolve of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}

/**
 * Many who ask while the tap is being asked wait for one answer to all of them, to a question put after theirs: a crowd
 * costs one ping and one transaction, not one each.
 */
function createTogether(ask: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;
  const begin = (): Promise<boolean> => {
    next = null;
    const own = ask().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  };
  return () => (running === null ? begin() : (next ??= running.then(begin, begin)));
}

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
