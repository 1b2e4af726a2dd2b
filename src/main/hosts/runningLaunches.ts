// Episodes that a command starts in the Interject that has its data folder open: as many at once as the command says, each
// waited for until its end stands in the log.
import type { AnswerLine } from '../../shared/answerLine.ts';
import type { StartEpisode } from '../../shared/contract/areas.ts';
import type { LaunchSettings } from '../../shared/contract/launchSettings.ts';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import type { StartedEpisode, Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { LogBeside } from '../log/logBeside.ts';
import type { CommandApp } from './commandApp.ts';
import type { DoorLine } from './doorLine.ts';
import { newId } from './edges.ts';

/** A spec remembers the start it was made of: that is what travels. */
const START = Symbol('start');
const BUDGET = Symbol('budget');
type TravellingSpec = RunSpec & { [START]?: StartEpisode; [BUDGET]?: string };

export type Launches = Pick<Supervisor, 'start' | 'close'> & {
  adopt: CommandApp['adopt'];
  noteStarts: (start: StartEpisode, specs: readonly RunSpec[]) => RunSpec[];
  budget: CommandApp['runBudget'];
  /** Of the episodes of this command alone. */
  subscribe: EventLog['subscribe'];
  /** Counts the episodes of this run among them. */
  follow: (run: string) => void;
  /** Nothing is started any more. */
  end: () => void;
};

/** What the command said of its episodes: who answers in people's place, which models and experts, how many at once. */
export type LaunchedWith = {
  answers: () => readonly AnswerLine[] | null;
  settings: { settings?: LaunchSettings };
  places: number;
};

export function createLaunches(
  line: DoorLine,
  beside: LogBeside,
  { answers, settings, places }: LaunchedWith,
): Launches {
  const { log } = beside;
  const ours = new Set<string>();
  const runs = new Set<string>();
  const isOurs = (stream: string, { started }: EpisodeRecord): boolean =>
    ours.has(stream) || (started?.trainer !== undefined && runs.has(started.trainer?.run ?? ''));

  const play = createPlayer(line, beside, { answers, settings, places });
  return {
    start: (spec, { id = newId() } = {}): StartedEpisode => {
      ours.add(id);
      const begun = Promise.withResolvers<void>();
      begun.promise.catch(() => undefined);
      return { id, begun: begun.promise, ended: play.one(id, spec, begun) };
    },
    adopt: async (id) => {
      ours.add(id);
      const adopted = await play.adopt(id);
      return adopted === null ? null : { id, begun: Promise.resolve(), ...adopted };
    },
    close: play.stopAll,
    end: play.end,
    noteStarts: (start, specs) => specs.map((spec) => ({ ...spec, [START]: start })),
    budget: async (agent, given, run) => {
      const { budget } = await line.call('launch.budget', {
        agent,
        given,
        ...(run === undefined ? {} : { run }),
        ...settings,
      });
      return budget === null ? null : (spec) => ({ ...spec, [BUDGET]: budget });
    },
    follow: (run) => void runs.add(run),
    subscribe: (listener, stream) =>
      log.subscribe((recorded, record) => {
        if (isOurs(recorded.stream, record)) listener(recorded, record);
      }, stream),
  };
}

/** Has episodes played over there, in the order in which they came. One that was not launched when it ends has no record. */
function createPlayer(
  line: DoorLine,
  { log, catchUp }: LogBeside,
  { answers, settings, places }: LaunchedWith,
) {
  const room = createRoom(places);
  const live = new Set<string>();
  let isEnding = false;
  const one = async (
    id: string,
    spec: RunSpec,
    begun: PromiseWithResolvers<void>,
  ): Promise<EpisodeRecord> => {
    await room.take();
    try {
      if (isEnding) return log.record(id);
      live.add(id);
      const launched = launch(line, id, spec, { lines: answers(), settings });
      // Waited for from the first moment: who waits has it stopped when its line ends.
      const ended = line.call('launch.ended', { episode: id });
      ended.catch(() => undefined);
      const played = await launched;
      begun.resolve();
      await ended;
      // Another command began it a moment before: both tell of it.
      if (played !== id) return await untilEnd(played);
      catchUp();
      return log.record(id);
    } catch (thrown) {
      // As where the log is the command's own: an episode that could not begin is over.
      if (!(thrown instanceof Failure) || thrown.code !== 'data_unwritable') throw thrown;
      begun.reject(thrown);
      return log.record(id);
    } finally {
      begun.resolve();
      live.delete(id);
      room.free();
    }
  };
  const end = (): void => {
    isEnding = true;
  };
  const stopAll = async (): Promise<void> => {
    end();
    const stop = (episode: string) => line.call('launch.stop', { episode }).catch(() => undefined);
    await Promise.all([...live].map(stop));
  };
  const untilEnd = async (id: string): Promise<EpisodeRecord> => {
    live.add(id);
    await line.call('launch.ended', { episode: id }).finally(() => live.delete(id));
    catchUp();
    return log.record(id);
  };
  const adopt = adopter(line, { catchUp, untilEnd }, { answers, settings });
  return { one, adopt, end, stopAll };
}

/** Goes on with an episode that has its place over there already, or null where it cannot. */
const adopter =
  (
    line: DoorLine,
    { catchUp, untilEnd }: Pick<LogBeside, 'catchUp'> & { untilEnd: (id: string) => Promise<EpisodeRecord> },
    { answers, settings }: Pick<LaunchedWith, 'answers' | 'settings'>,
  ) =>
  async (id: string): Promise<{ ended: Promise<EpisodeRecord> } | null> => {
    const lines = answers();
    const { goes_on: goesOn } = await line.call('launch.adopt', {
      episode: id,
      answers: lines === null ? null : [...lines],
      ...settings,
    });
    catchUp();
    return goesOn ? { ended: untilEnd(id) } : null;
  };

/** Resolves with the episode that plays it. */
async function launch(
  line: DoorLine,
  id: string,
  { [START]: start, [BUDGET]: budget, ...spec }: TravellingSpec,
  { lines, settings }: { lines: readonly AnswerLine[] | null } & Pick<LaunchedWith, 'settings'>,
): Promise<string> {
  const { probe, group, repeat, seed, verifierMode } = spec;
  if (start === undefined) throw new Error('a spec that was made of no start');
  const verifier = verifierMode === null ? {} : { verifier_mode: verifierMode };
  const { episode } = await line.call('launch.episode', {
    episode: id,
    start: { ...start, seed, repeats: 1, ...verifier },
    group,
    repeat,
    ...(probe === undefined ? {} : { probe }),
    ...(budget === undefined ? {} : { budget }),
    answers: lines === null ? null : [...lines],
    ...settings,
  });
  return episode;
}

/** As many at once as there are places; the others wait in the order in which they came. */
function createRoom(places: number) {
  const queue: (() => void)[] = [];
  let taken = 0;
  return {
    take: (): Promise<void> => {
      if (taken >= places) return new Promise((resolve) => queue.push(resolve));
      taken += 1;
      return Promise.resolve();
    },
    free: (): void => {
      const next = queue.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
