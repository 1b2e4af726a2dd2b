// What taps left behind that are gone: records that nobody took, frames that none could keep, episodes that nobody
// plays any more.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { endedWithoutVerdict } from '../../../shared/episode/endedWithoutVerdict.ts';
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { readRecords, UNSAVED_BYTES, type TapRecord, type Unsaved } from './linkProtocol.ts';
import { tapMark, type Recorder } from './recorder.ts';

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
 * What taps that died did not hand over is taken in. Files whose records are in the log are removed. False where one had
 * no room to count what it could not keep.
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

/** What the file says; null where the disk had no room for it, so that nothing was counted. */
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

/** How many frames are missing at least, where nobody could count them. */
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
