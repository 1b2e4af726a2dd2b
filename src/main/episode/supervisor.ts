// The episodes that are running in this process: starting them a few at a time, stopping one, ending all.
import { endedWithoutVerdict } from '../../shared/episode/phase.ts';
import { hasHeldCall } from '../../shared/episode/calls.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { closing } from '../../shared/episode/restarts.ts';
import { type Actor, SYSTEM } from '../../shared/events/actor.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { EventLog, LogEntry } from '../log/eventLog.ts';
import type { PickUp } from './beginEpisode.ts';
import type { RunEpisode } from './runEpisode.ts';
import type { RunSpec } from './stage.ts';

export type Supervisor = {
  /**
   * Starts one episode now, or as soon as a place is free. `begun` resolves once it is in the log or waits for a place,
   * and rejects with `data_unwritable` where the log takes no events. `ended` resolves with its record; it never rejects.
   */
  start(spec: RunSpec, options?: StartOptions): StartedEpisode;
  /** Goes on with one that is in the log, in which the program was killed. Resolves with its record; never rejects. */
  continueEpisode(id: string, spec: RunSpec, pickUp: PickUp): Promise<EpisodeRecord>;
  /** Resolves with the record of an episode that runs here, or waits for a place, once it has ended; null for any other. */
  ending(id: string): Promise<EpisodeRecord> | null;
  /** Asks an episode to stop; it ends as `stopped` with a complete log. Throws `not_found` if it is not running. */
  stop(id: string, actor: Actor, reason: string | null): void;
  /** Ends one that was not begun, or must not go on, without a word in the log where that takes none. */
  abandon(id: string): void;
  running(): number;
  /** Stops everything, or leaves it open for the next start, and waits until nothing is written any more. */
  close(): Promise<void>;
};

type StartOptions = {
  /** Chosen before. */
  id?: string;
  /**
   * Whoever starts it starts it once more after a kill, as a bench does: it is not kept while it waits for a place, or it
   * would be played twice.
   */
  isStartedAgain?: boolean;
};
export type StartedEpisode = { id: string; begun: Promise<void>; ended: Promise<EpisodeRecord> };

type SupervisorDependencies = {
  log: EventLog;
  runEpisode: RunEpisode;
  newId: () => string;
  clock: () => number;
  /** What the log of such an episode begins with. */
  openingOf: (spec: RunSpec) => LogEntry[];
  places: number;
  /** Closing leaves episodes open: after the next start a person says whether they go on. Else it ends them. */
  leavesOpen: boolean;
  /** Many that are started together begin one after another. */
  turn?: (() => Promise<void>) | undefined;
};

/** As many at once as there are places; the others wait in the order in which they came. */
function createPlaces(places: number, turn: SupervisorDependencies['turn']) {
  const queue: (() => void)[] = [];
  let taken = 0;
  return {
    isFull: () => taken >= places,
    take: (): Promise<void> => {
      if (taken >= places) return new Promise((resolve) => queue.push(resolve));
      taken += 1;
      return turn?.() ?? Promise.resolve();
    },
    free: (): void => {
      const next = queue.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}

/** Closing goes on where the log takes no events. */
function noteClosing(log: EventLog, id: string): void {
  try {
    log.append(id, SYSTEM, { kind: 'stop.requested', reason: 'Interject was closed' });
  } catch {
    // The episode will show as interrupted at the next start.
  }
}

type Begun = PromiseWithResolvers<void>;
type LiveEpisode = { stop: AbortController; ended: Promise<EpisodeRecord> };
type Beginning = { pickUp: PickUp | null; isKept: boolean };

type RunDependencies = SupervisorDependencies & {
  live: Map<string, LiveEpisode>;
  line: ReturnType<typeof createWaitingLine>;
  late: LateEndings;
};

/** Runs each once there is a place for it. */
function createRun({ log, runEpisode, live, line, late, ...parts }: RunDependencies) {
  const room = createPlaces(parts.places, parts.turn);
  return async (
    id: string,
    spec: RunSpec,
    signal: AbortSignal,
    begun: Begun,
    { pickUp, isKept }: Beginning,
  ): Promise<EpisodeRecord> => {
    const isQueued = room.isFull();
    if (isQueued) begun.resolve(line.enter(id, spec, isKept));
    await room.take();
    try {
      // One that was stopped while it waited for a place was never begun: the log has no word of it.
      if (pickUp === null && isQueued && signal.aborted) return log.record(id);
      // One that goes on ends in the log, with the limit that it finds reached.
      // Nothing is begun that could not go on.
      if (pickUp === null && (spec.runBudget?.reached() ?? null) !== null) return log.record(id);
      spec.runBudget?.join(id);
      const running = runEpisode(id, spec, signal, pickUp);
      if (log.record(id).n > 0) {
        line.begun(id);
        begun.resolve();
      }
      return noteSpending(spec, await running);
    } catch (thrown) {
      begun.reject(thrown);
      return endWithError(log, late, id, thrown);
    } finally {
      line.tryLeave([id]);
      begun.resolve();
      live.delete(id);
      room.free();
    }
  };
}

export function createSupervisor(parts: SupervisorDependencies): Supervisor {
  const { log, newId } = parts;
  const live = new Map<string, LiveEpisode>();
  const line = createWaitingLine(parts);
  const run = createRun({ ...parts, live, line, late: createLateEndings(log) });
  const begin = (id: string, spec: RunSpec, beginning: Beginning): Omit<StartedEpisode, 'id'> => {
    const stop = new AbortController();
    const begun: Begun = Promise.withResolvers();
    // Who starts many at once looks at their ends only.
    begun.promise.catch(() => undefined);
    const ended = run(id, spec, stop.signal, begun, beginning);
    live.set(id, { stop, ended });
    return { begun: begun.promise, ended };
  };

  return {
    start: (spec, { id = newId(), isStartedAgain = false } = {}) => ({
      id,
      ...begin(id, spec, { pickUp: null, isKept: !isStartedAgain }),
    }),
    continueEpisode: (id, spec, pickUp) => begin(id, spec, { pickUp, isKept: false }).ended,
    ending: (id) => live.get(id)?.ended ?? null,
    stop: (id, actor, reason) => {
      const episode = live.get(id);
      if (episode === undefined) {
        throw new Failure('not_found', `episode ${id} is not running`, {
          next: 'It may have ended just now.',
        });
      }
      if (episode.stop.signal.aborted) return;
      line.leave([id]);
      if (log.record(id).n > 0) log.append(id, actor, { kind: 'stop.requested', reason });
      episode.stop.abort();
    },
    abandon: (id) => {
      line.tryLeave([id]);
      live.get(id)?.stop.abort();
    },
    running: () => live.size,
    close: () => {
      if (parts.leavesOpen) line.leaveOpen(parts.clock());
      line.tryLeave([...live.keys()]);
      return stopAll(log, live, parts.leavesOpen);
    },
  };
}

async function stopAll(
  log: EventLog,
  live: ReadonlyMap<string, LiveEpisode>,
  leavesOpen: boolean,
): Promise<void> {
  for (const [id, { stop }] of live) {
    if (stop.signal.aborted) continue;
    const isLeft = leavesOpen || hasHeldCall(log.record(id));
    if (!isLeft && log.record(id).n > 0) noteClosing(log, id);
    stop.abort(isLeft ? closing() : undefined);
  }
  await Promise.all([...live.values()].map(({ ended }) => ended));
}

function noteSpending({ runBudget }: RunSpec, record: EpisodeRecord): EpisodeRecord {
  runBudget?.note(record);
  return record;
}

/** The loop records its own failures; what still escapes it (a full disk, a bug) is recorded here, late if it must be. */
function endWithError(log: EventLog, late: LateEndings, id: string, thrown: unknown): EpisodeRecord {
  const record = log.record(id);
  if (record.ended === null && record.n > 0) late.end(id, failureShape(thrown));
  return log.record(id);
}

/** Starts episodes together: all of them, or none where the log takes no events. Throws `data_unwritable`. */
export async function startTogether(supervisor: Supervisor, specs: readonly RunSpec[]): Promise<string[]> {
  const started = specs.map((spec) => supervisor.start(spec));
  const begun = await Promise.allSettled(started.map((one) => one.begun));
  const failed = begun.find((one) => one.status === 'rejected');
  if (failed === undefined) return started.map(({ id }) => id);
  for (const { id } of started) supervisor.abandon(id);
  throw failed.reason;
}

type WaitingLineDependencies = {
  log: Pick<EventLog, 'queue' | 'checkWritable' | 'appendAll'>;
  /** What the log of such an episode begins with. */
  openingOf: (spec: RunSpec) => LogEntry[];
};

function createWaitingLine({ log, openingOf }: WaitingLineDependencies) {
  const waiting = new Set<string>();
  const leave = (ids: readonly string[]): void => {
    const left = ids.filter((id) => waiting.has(id));
    if (left.length > 0) log.queue.remove(left);
    for (const id of left) waiting.delete(id);
  };
  return {
    /** Rejects where the log takes no events. */
    enter: async (id: string, spec: RunSpec, isKept: boolean): Promise<void> => {
      if (!isKept) return log.checkWritable();
      log.queue.add({ id, opening: openingOf(spec) });
      waiting.add(id);
    },
    /** Its log has begun, which took it out. */
    begun: (id: string): void => void waiting.delete(id),
    /** Interject is closed before there was a place: their logs begin, and they wait for a person's word. */
    leaveOpen: (now: number): void => {
      const failure = failureShape(closing());
      const event = { kind: 'episode.broke_off', ran_until: now, reason: null, failure } as const;
      try {
        for (const { id, opening } of log.queue.all().filter((one) => waiting.has(one.id))) {
          log.appendAll(id, [...opening, { actor: SYSTEM, event }]);
          waiting.delete(id);
        }
      } catch {
        // Where the log takes no events they come back at the next start.
      }
    },
    /** They are not begun. Throws where the log takes no events. */
    leave,
    /** Where the log takes no events they come back at the next start. */
    tryLeave: (ids: readonly string[]): void => {
      try {
        leave(ids);
      } catch {
        // Whoever stops them goes on.
      }
    },
  };
}

// Ends of episodes that could not be written, as on a full disk. They are written once the log takes events again.
type LateEndings = {
  /** Ends an episode as broken, now or with the next event that the log takes. */
  end: (episode: string, failure: FailureShape) => void;
};

function createLateEndings(log: EventLog): LateEndings {
  const waiting = new Map<string, FailureShape>();
  const isWritten = (episode: string, failure: FailureShape): boolean => {
    try {
      if (log.record(episode).ended === null)
        log.append(episode, SYSTEM, endedWithoutVerdict('error', null, failure));
      return true;
    } catch {
      return false;
    }
  };
  const writeWaiting = (): void => {
    for (const [episode, failure] of waiting) {
      if (!isWritten(episode, failure)) return;
      waiting.delete(episode);
    }
  };
  let isListening = false;
  return {
    end: (episode, failure) => {
      if (isWritten(episode, failure)) return;
      waiting.set(episode, failure);
      if (isListening) return;
      isListening = true;
      // Not within the commit that is being told of.
      log.subscribe(() => void (waiting.size > 0 && setImmediate(writeWaiting)));
    },
  };
}
