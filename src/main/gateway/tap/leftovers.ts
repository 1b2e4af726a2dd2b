// What taps left behind that are gone: records that nobody took, episodes that nobody plays any more.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endedWithoutVerdict } from '../../../shared/episode/endedWithoutVerdict.ts';
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { readRecords, type TapRecord } from './linkProtocol.ts';
import type { Recorder } from './recorder.ts';

type LeftoversDependencies = {
  dataFolder: string;
  report: (thrown: unknown) => void;
  /** What has to be known before records can be read; null where all of it is. */
  prepare: (records: readonly TapRecord[]) => Promise<void> | null;
};

/** Files of taps that died while nobody listened are taken in. A file whose records are in the log is removed. */
export async function takeLeftovers(
  { dataFolder, report, prepare }: LeftoversDependencies,
  run: string,
  recorderOf: (run: string) => Recorder,
): Promise<void> {
  for (const name of readdirSync(dataFolder)) {
    const [, other] = /^tap-(\w+)\.spool$/.exec(name) ?? [];
    if (other === undefined || other === run) continue;
    const path = join(dataFolder, name);
    const recorder = recorderOf(other);
    try {
      const batch = readFileSync(path);
      await prepare(readRecords(batch).records);
      recorder.take(batch);
      if (recorder.flush()) rmSync(path, { force: true });
    } catch (thrown) {
      report(thrown);
    } finally {
      recorder.close();
    }
  }
}

/** Ends the episodes of clients that no tap plays. */
export function endOrphans(log: EventLog, live: ReadonlySet<string>): void {
  for (const episode of log.projections.open()) {
    if (live.has(episode) || log.record(episode).started?.source !== 'tap') continue;
    log.append(episode, SYSTEM, endedWithoutVerdict('interrupted', 'the tap ended before the episode did'));
  }
}
