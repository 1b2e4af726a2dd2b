// What taps left behind that are gone: records that nobody took, frames that none could keep, episodes that nobody
// plays any more.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { endedWithoutVerdict } from '../../../shared/episode/endedWithoutVerdict.ts';
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { readRecords, type TapRecord } from './linkProtocol.ts';
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

/** What taps that died did not hand over is taken in. Files whose records are in the log are removed. */
export async function takeLeftovers(
  parts: LeftoversDependencies,
  run: string,
  recorderOf: (run: string) => Recorder,
): Promise<void> {
  const names = readdirSync(parts.dataFolder);
  const runs = new Set(names.flatMap((name) => LEFT_FILE.exec(name)?.[1] ?? []));
  runs.delete(run);
  for (const other of runs) {
    const recorder = recorderOf(other);
    try {
      await takeRun(parts, other, recorder);
    } catch (thrown) {
      parts.report(thrown);
    } finally {
      recorder.close();
    }
  }
}

async function takeRun(parts: LeftoversDependencies, run: string, recorder: Recorder): Promise<void> {
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
  if (!recorder.flush()) return;
  recordUnsaved(log, run, taken, readUnsaved(pathOf('unsaved')), bySeq);
  for (const kind of ['spool', 'a.journal', 'b.journal', 'unsaved']) rmSync(pathOf(kind), { force: true });
}

const recordsIn = (path: string): TapRecord[] =>
  existsSync(path) ? readRecords(readFileSync(path)).records : [];

const Unsaved = z.object({
  records: z.array(z.tuple([z.number(), z.number(), z.string()])),
  more: z.number(),
});
type Unsaved = z.infer<typeof Unsaved>;

function readUnsaved(path: string): Unsaved {
  const text = existsSync(path) ? readFileSync(path, 'latin1').trim() : '';
  return text === '' ? { records: [], more: 0 } : Unsaved.parse(JSON.parse(text));
}

/** Says of each episode how many frames passed that nothing could keep: they are answered, and are nowhere. */
function recordUnsaved(
  log: EventLog,
  run: string,
  taken: number,
  { records, more }: Unsaved,
  kept: ReadonlyMap<number, TapRecord>,
): void {
  const lost = records.filter(([seq]) => seq > taken && !kept.has(seq));
  const last = lost.at(-1);
  if (last === undefined) return;
  const rest =
    more === 0 ? '' : `, and ${String(more)} more of this tap’s clients that could not be told apart`;
  const batch = [...Map.groupBy(lost, ([, , episode]) => episode)].map(([stream, of]) => ({
    stream,
    entries: [
      {
        at: null,
        actor: SYSTEM,
        event: {
          kind: 'recording.gap' as const,
          from_at: Math.min(...of.map(([, at]) => at)),
          to_at: Math.max(...of.map(([, at]) => at)),
          frames: of.length,
          reason: `the tap’s process died with frames that it could not keep${rest}`,
        },
      },
    ],
  }));
  log.appendMany(batch, { name: tapMark(run), value: Math.max(last[0], log.mark(tapMark(run))) });
}

/** Ends the episodes of clients that no tap plays. */
export function endOrphans(log: EventLog, live: ReadonlySet<string>): void {
  for (const episode of log.projections.open()) {
    if (live.has(episode) || log.record(episode).started?.source !== 'tap') continue;
    log.append(episode, SYSTEM, endedWithoutVerdict('interrupted', 'the tap ended before the episode did'));
  }
}
