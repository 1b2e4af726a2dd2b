// Benches and lifts that a command has the running Interject play: their progress is read from the log, episode by episode,
// as that process would tell it.
import { cellsOf } from '../../shared/bench/plan.ts';
import { cellsOfLift } from '../../shared/lift/plan.ts';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { observedOf as observedCells } from '../commands/benchCells.ts';
import { benchNamed, progressOf as benchProgress } from '../commands/benches.ts';
import { observeContinuation } from '../commands/liftRun.ts';
import { continuationKey, liftNamed, observedOf, planLift, progressOf } from '../commands/lifts.ts';
import type { LogBeside } from '../log/logBeside.ts';
import type { Begun, CommandApp } from './commandApp.ts';
import type { DoorLine } from './doorLine.ts';
import type { LaunchedWith, Launches } from './runningLaunches.ts';

export function benchesThrough(
  line: DoorLine,
  beside: LogBeside,
  launches: Launches,
  { answers, settings }: Omit<LaunchedWith, 'places'>,
): CommandApp['benches'] {
  const { log } = beside;
  return {
    show: (name) => {
      const found = benchNamed(log, name);
      if (found === null) throw new Failure('not_found', `there is no bench ${name} in this data folder`);
      return found;
    },
    run: async (plan, { concurrency, onEnded }) => {
      const cells = observedCells(log);
      const progress = benchProgress(cells.of(plan), plan, null, { log, clock: Date.now });
      const pace = { startedAt: Date.now(), before: progress.finished, live: new Set<string>() };
      launches.follow(plan.name);
      const unfollow = watchEnds(launches, pace.live, (record) => {
        const one = cells.note(plan, record);
        if (one !== null) onEnded(one, benchProgress(cells.of(plan), plan, pace, { log, clock: Date.now }));
      });
      const lines = answers();
      const { name } = plan;
      const counts = { planned: cellsOf(plan).length, finished: progress.finished };
      return begin(beside, unfollow, counts, {
        start: () =>
          line.call('launch.bench', {
            plan,
            concurrency,
            answers: lines === null ? null : [...lines],
            ...settings,
          }),
        ended: () => line.call('launch.bench_ended', { name }),
        stop: () => line.call('bench.stop', { name }),
      });
    },
  };
}

export function liftsThrough(
  line: DoorLine,
  beside: LogBeside,
  launches: Launches,
  { settings }: Pick<LaunchedWith, 'settings'>,
): CommandApp['lifts'] {
  const { log } = beside;
  return {
    plan: (name, request) => planLift(log, name, request),
    show: (name) => {
      const found = liftNamed(log, name);
      if (found === null) throw new Failure('not_found', `there is no lift ${name} in this data folder`);
      return found;
    },
    run: async (planned, { concurrency, onEnded }) => {
      const observed = observedOf(log, planned);
      const before = progressOf(planned, observed, null).finished;
      const pace = { startedAt: Date.now(), before, clock: Date.now };
      launches.follow(planned.name);
      const unfollow = watchEnds(launches, new Set(), (record) => {
        const one = observeContinuation(record, (text) => log.texts.loadText(text));
        if (one === null || record.started?.lift?.lift !== planned.name) return;
        observed.set(continuationKey(one), one);
        onEnded(one, progressOf(planned, observed, pace));
      });
      const { name } = planned;
      const counts = { planned: cellsOfLift(planned).length, finished: before };
      return begin(beside, unfollow, counts, {
        start: () => line.call('launch.lift', { plan: planned, concurrency, ...settings }),
        ended: () => line.call('launch.lift_ended', { name }),
        stop: () => line.call('launch.lift_stop', { name }),
      });
    },
  };
}

/** Hears of each episode that ends, and keeps which of them run. */
function watchEnds(
  launches: Launches,
  live: Set<string>,
  ended: (record: EpisodeRecord) => void,
): () => void {
  return launches.subscribe(({ stream, event }, record) => {
    if (event.kind === 'episode.started' || event.kind === 'episode.picked_up') live.add(stream);
    if (event.kind !== 'episode.ended') return;
    live.delete(stream);
    ended(record);
  });
}

type Requests = Record<'start' | 'ended' | 'stop', () => Promise<unknown>>;

/** Waits for the end at once: whoever waits has what it began stopped when its line ends. */
async function begin(
  beside: LogBeside,
  unfollow: () => void,
  progress: Begun['progress'],
  { start, ended, stop }: Requests,
): Promise<Begun> {
  try {
    await start();
  } catch (thrown) {
    unfollow();
    throw thrown;
  }
  const over = ended()
    .then(() => beside.catchUp())
    .finally(unfollow);
  over.catch(() => undefined);
  return { progress, ended: over, stop: () => void stop().catch(() => undefined) };
}
