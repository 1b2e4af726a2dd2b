// The episodes that are running in this process: starting them a few at a time, stopping one, ending all.
import { endedWithoutVerdict } from '../../shared/episode/endedWithoutVerdict.ts';
import { type Actor, SYSTEM } from '../../shared/events/actor.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { RunEpisode, RunSpec } from './runEpisode.ts';

export type Supervisor = {
  /** Starts one episode now, or as soon as a place is free. Resolves `ended` with its record; never rejects. */
  start(spec: RunSpec): { id: string; ended: Promise<EpisodeRecord> };
  /** Asks an episode to stop; it ends as `stopped` with a complete log. Throws `not_found` if it is not running. */
  stop(id: string, actor: Actor, reason: string | null): void;
  running(): number;
  /** Stops everything and waits until every log is complete. */
  close(): Promise<void>;
};

type SupervisorDependencies = { log: EventLog; runEpisode: RunEpisode; newId: () => string; places: number };
type LiveEpisode = { stop: AbortController; ended: Promise<EpisodeRecord> };

export function createSupervisor({ log, runEpisode, newId, places }: SupervisorDependencies): Supervisor {
  const live = new Map<string, LiveEpisode>();
  const queue: (() => void)[] = [];
  let taken = 0;

  const place = (): Promise<void> => {
    if (taken < places) {
      taken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => queue.push(resolve));
  };
  const free = (): void => {
    const next = queue.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  const run = async (id: string, spec: RunSpec, signal: AbortSignal): Promise<EpisodeRecord> => {
    await place();
    try {
      if (isBudgetSpent(spec)) return log.record(id);
      return noteSpending(spec, await runEpisode(id, spec, signal));
    } catch (thrown) {
      return endWithError(log, id, thrown);
    } finally {
      live.delete(id);
      free();
    }
  };

  return {
    start: (spec) => {
      const id = newId();
      const stop = new AbortController();
      const ended = run(id, spec, stop.signal);
      live.set(id, { stop, ended });
      return { id, ended };
    },
    stop: (id, actor, reason) => {
      const episode = live.get(id);
      if (episode === undefined) {
        throw new Failure('not_found', `episode ${id} is not running`, {
          next: 'It may have ended just now.',
        });
      }
      if (episode.stop.signal.aborted) return;
      if (log.record(id).n > 0) log.append(id, actor, { kind: 'stop.requested', reason });
      episode.stop.abort();
    },
    running: () => live.size,
    close: async () => {
      for (const [id, { stop }] of live) {
        if (stop.signal.aborted) continue;
        if (log.record(id).n > 0)
          log.append(id, SYSTEM, { kind: 'stop.requested', reason: 'Interject was closed' });
        stop.abort();
      }
      await Promise.all([...live.values()].map(({ ended }) => ended));
    },
  };
}

function noteSpending({ runBudget }: RunSpec, record: EpisodeRecord): EpisodeRecord {
  runBudget?.note(record);
  return record;
}

/** Nothing is begun that could not go on. */
const isBudgetSpent = ({ runBudget }: RunSpec): boolean => (runBudget?.reached() ?? null) !== null;

/** The loop records its own failures; what still escapes it (a full disk, a bug) is recorded here if it can be. */
function endWithError(log: EventLog, id: string, thrown: unknown): EpisodeRecord {
  const record = log.record(id);
  if (record.ended !== null || record.n === 0) return record;
  try {
    log.append(id, SYSTEM, endedWithoutVerdict('error', null, failureShape(thrown)));
  } catch {
    // The log itself failed. The episode will show as interrupted at the next start.
  }
  return log.record(id);
}

/**
 * Marks what a killed process left open: its consultations as cancelled, its episodes as interrupted. Clients' episodes
 * go on without us: the tap says what became of them.
 */
export function recoverInterrupted(log: EventLog): string[] {
  const open = log.projections.open().filter((id) => log.record(id).started?.source !== 'tap');
  for (const id of open) {
    const record = log.record(id);
    for (const { id: consultation, decision } of record.consultations) {
      if (decision !== null) continue;
      log.append(id, SYSTEM, {
        kind: 'consultation.cancelled',
        consultation,
        reason: 'Interject was interrupted',
      });
    }
    log.append(id, SYSTEM, endedWithoutVerdict('interrupted', 'Interject ended before the episode did'));
  }
  return open;
}
