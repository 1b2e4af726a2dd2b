// Plays episodes together, so many at a time: the runs of commands, benches and measurements of answers. Who began one waits
// here for what becomes of it, and stops it.
import type { Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import type { RunProgress } from '../../shared/contract/runs.ts';
import { isFinished } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { Adopt } from '../episode/continueEpisode.ts';
import type { RunBudgets } from '../episode/budget.ts';
import type { RunSpec } from '../episode/stage.ts';
import { startKeyOf } from '../episode/startKey.ts';
import type { StartedEpisode, Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { CommandLine, CommandLines } from './commandLines.ts';
import { runBudgetFor } from './episodes.ts';

type RunsDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  runSpecs: (start: Inputs['episode.start']) => RunSpec[];
  runBudgets: RunBudgets;
  settings: Pick<SettingsStore, 'budgets' | 'pricesFor'>;
  lines: Pick<CommandLines, 'current'>;
  newId: () => string;
  clock: () => number;
};

type Begun = Pick<StartedEpisode, 'id' | 'ended'> & { begun?: Promise<void> };
/** Since when it is played, how many ended since, and which play now. */
export type Pace = { startedAt: number; done: number; live: ReadonlySet<string> };

type RunToPlay = {
  /** Under which it is waited for and stopped. */
  run: string;
  concurrency: number;
  /** Each begins an episode. */
  episodes: readonly (() => Begun)[];
  /** Hears of each that has ended. */
  ended?: (record: EpisodeRecord) => void;
  /** Once nothing of it plays any more. */
  after?: () => void;
  /** When the product closes its episodes are left as any other; else they are stopped. */
  isLeftAtClose?: boolean;
  progress: (pace: Pace) => RunProgress;
};

export type Runs = {
  /** Throws `bad_input` where a run of the name is played. Resolves when nothing of it plays any more. */
  play(asked: RunToPlay): Promise<void>;
  /** Null where no run of the name is played. */
  pace(run: string): Pace | null;
  handlers: Pick<Handlers, 'run.start' | 'run.wait' | 'run.stop'>;
  /** Begins no more; resolves when nothing plays. What is left as any other episode is for the supervisor to end. */
  close(): Promise<void>;
};

/** Runs that are over and can still be asked for. */
const OVER_MAX = 20;
/** News that are told at once. */
const NEWS_MAX = 1_000;

export function createRuns(parts: RunsDependencies): Runs {
  const { lines } = parts;
  const runs = new Map<string, PlayingRun>();
  const named = createNamedRuns(parts);
  const play: Runs['play'] = (asked) => {
    const { run } = asked;
    if (runs.get(run)?.isOver === false) throw new Failure('bad_input', `${run} is running`);
    runs.delete(run);
    const over = [...runs].filter(([, { isOver }]) => isOver);
    for (const [old] of over.slice(0, Math.max(0, over.length - OVER_MAX))) runs.delete(old);
    const playing = new PlayingRun(asked, parts);
    runs.set(run, playing);
    const undo = lines.current()?.onLeave(() => playing.stop()) ?? (() => undefined);
    void playing.ended.then(undo, undo);
    return playing.ended;
  };
  return {
    play,
    pace: (run) => {
      const found = runs.get(run);
      return found === undefined || found.isOver ? null : found;
    },
    handlers: {
      'run.start': async (input) => named.start(input, play),
      'run.wait': async ({ run, after }) => {
        const playing = runs.get(run);
        if (playing === undefined) throw new Failure('not_found', `nothing named ${run} is played`);
        return playing.newsAfter(after);
      },
      'run.stop': async ({ run }) => {
        await runs.get(run)?.stop();
        return {};
      },
    },
    close: async () => {
      await Promise.all([...runs.values()].map((playing) => playing.close()));
    },
  };
}

/** A run that is played, and what is new of it. */
class PlayingRun implements Pace {
  readonly startedAt: number;
  readonly live = new Set<string>();
  readonly news: { episode: string; progress: RunProgress | null }[] = [];
  /** Resolves when nothing of it plays any more. */
  readonly ended: Promise<void>;
  done = 0;
  isOver = false;
  failure: FailureShape | null = null;
  readonly #asked: RunToPlay;
  readonly #supervisor: Supervisor;
  /** The command that began it. */
  readonly #line: CommandLine | null;
  #isStopping = false;
  #next = Promise.withResolvers<void>();

  constructor(asked: RunToPlay, { supervisor, lines, clock }: RunsDependencies) {
    this.#asked = asked;
    this.#supervisor = supervisor;
    this.#line = lines.current();
    this.startedAt = clock();
    this.ended = this.#play();
  }

  /** What is new after so much of the news, once there is something, or it is over. */
  async newsAfter(after: number): Promise<Outputs['run.wait']> {
    while (this.news.length <= after && !this.isOver) await this.#next.promise;
    const news = this.news.slice(after, after + NEWS_MAX);
    const isTold = after + news.length >= this.news.length;
    return { news, is_over: this.isOver && isTold, failure: this.failure };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const id of this.live)
      if (this.#supervisor.ending(id) !== null) this.#supervisor.stop(id, SYSTEM, 'the run was stopped');
    await this.#settled();
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    await (this.#asked.isLeftAtClose === true ? this.#settled() : this.stop());
  }

  async #play(): Promise<void> {
    const todo = [...this.#asked.episodes];
    const work = async (): Promise<void> => {
      for (let begin = todo.shift(); begin !== undefined && !this.#isStopping; begin = todo.shift())
        await this.#playOne(begin());
    };
    try {
      await Promise.all(Array.from({ length: this.#asked.concurrency }, work));
      this.#asked.after?.();
    } catch (thrown) {
      this.#fail(thrown);
      this.#isStopping = true;
      throw thrown;
    } finally {
      this.isOver = true;
      this.#wake();
    }
  }

  async #playOne({ id, begun, ended }: Begun): Promise<void> {
    begun?.catch((thrown: unknown) => this.#fail(thrown));
    this.live.add(id);
    this.#line?.takes(id);
    this.#tell(id, null);
    const record = await ended;
    this.live.delete(id);
    this.done += 1;
    this.#asked.ended?.(record);
    this.#tell(id, this.#asked.progress(this));
  }

  #tell(episode: string, progress: RunProgress | null): void {
    this.news.push({ episode, progress });
    this.#wake();
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  #fail(thrown: unknown): void {
    this.failure ??= failureShape(thrown);
  }

  #settled(): Promise<void> {
    return this.ended.catch(() => undefined);
  }
}

/** Episodes of a named run under way, by place in the run: each once, however many ask for it. */
type Played = { begun: Map<string, Begun>; users: number };

/** Runs of single starts. */
function createNamedRuns(parts: RunsDependencies) {
  const { log, supervisor, newId, clock } = parts;
  const played = new Map<string, Played>();
  const playedIn = (name: string): Played => {
    const found = played.get(name) ?? { begun: new Map(), users: 0 };
    played.set(name, found);
    return found;
  };
  const startOnce = ({ begun }: Played, spec: RunSpec): Begun => {
    const place = `${startKeyOf(spec)} ${String(spec.repeat)}`;
    const known = begun.get(place);
    if (known !== undefined) return known;
    // The same command goes on with a run that has a name.
    const started = supervisor.start(spec, { isStartedAgain: true });
    begun.set(place, started);
    void started.ended.then(({ ended }) => {
      if (!isFinished(ended?.outcome)) begun.delete(place);
    });
    return started;
  };
  const start = (input: Inputs['run.start'], play: Runs['play']) => {
    const name = input.starts[0]?.run ?? null;
    const specs = specsOf(parts, input);
    const { todo, goingOn, left } = sortSpecs(parts, name, specs);
    const ours = name === null ? null : playedIn(name);
    const begin = (spec: RunSpec): Begun =>
      goingOn.get(spec) ?? (ours === null ? supervisor.start(spec) : startOnce(ours, spec));
    const run = newId();
    const ended = play({
      run,
      concurrency: input.concurrency,
      episodes: todo.map((spec) => () => begin(spec)),
      isLeftAtClose: true,
      progress: (pace) =>
        progressAt(log, { planned: todo.length, finished: pace.done, excluded: 0 }, pace, clock()),
    });
    if (name !== null && ours !== null) {
      ours.users += 1;
      const leave = (): void => {
        ours.users -= 1;
        if (ours.users === 0) played.delete(name);
      };
      void ended.then(leave, leave);
    }
    return { run, planned: todo.length, over: specs.length - todo.length, going_on: goingOn.size, left };
  };
  return { start };
}

/** Every start is checked before the first begins. */
function specsOf(parts: RunsDependencies, { starts, probe }: Inputs['run.start']): RunSpec[] {
  const specs = starts.flatMap((start) => parts.runSpecs(start));
  const { settings, runBudgets } = parts;
  const [first] = starts;
  const budgets = { budgets: settings.budgets(), pricesFor: settings.pricesFor, runBudgets, run: first?.run };
  const budget = first === undefined ? null : runBudgetFor(first.agent, {}, budgets);
  return specs.map((spec) => ({
    ...spec,
    ...(probe === undefined ? {} : { probe }),
    ...(budget === null ? {} : { runBudget: budget }),
  }));
}

type Sorted = { todo: RunSpec[]; goingOn: Map<RunSpec, Begun>; left: string[] };

/** Sorts a named run's specs: left to play, or open and going on. */
function sortSpecs({ log, adopt }: RunsDependencies, name: string | null, specs: RunSpec[]): Sorted {
  if (name === null) return { todo: specs, goingOn: new Map(), left: [] };
  const isOver = finishedIn(log, name);
  const openOf = openIn(log, name);
  const sorted: Sorted = { todo: specs.filter((spec) => !isOver(spec)), goingOn: new Map(), left: [] };
  for (const spec of sorted.todo) {
    const id = openOf(spec);
    const adopted = id === null ? null : adopt(id);
    if (adopted !== null) sorted.goingOn.set(spec, adopted);
    else if (id !== null) sorted.left.push(id);
  }
  return sorted;
}

const PAGE = 200;

/** True if the run has an episode of this start already that ended `done` or `limit`. */
function finishedIn(log: EventLog, run: string): (spec: RunSpec) => boolean {
  const finished = new Set<string>();
  for (const { id, outcome } of endedRows(log, run)) {
    const [first] = log.read(id, 0, 1);
    if (!isFinished(outcome) || first?.event.kind !== 'episode.started') continue;
    finished.add(startKeyOf({ ...first.event, seed: first.event.seed ?? 0 }));
  }
  return (spec) => finished.has(startKeyOf(spec));
}

/** The rows of a run's ended episodes, newest first. */
export function* endedRows({ projections }: Pick<EventLog, 'projections'>, run: string) {
  for (let offset = 0; ; offset += PAGE) {
    const page = {
      query: '',
      status: 'ended',
      condition: null,
      filter: { run },
      offset,
      limit: PAGE,
    } as const;
    const { rows } = projections.episodes(page);
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

/** Takes an episode of the run and of this start that has not ended; null where there is none, or none is left. */
function openIn(log: EventLog, run: string): (spec: RunSpec) => string | null {
  const open = new Map<string, string[]>();
  for (const id of log.projections.open()) {
    const { started } = log.record(id);
    const isOurs = started?.source === 'run' && started.trainer?.run === run;
    if (!isOurs || started.bench !== undefined || started.lift !== undefined) continue;
    const key = startKeyOf({ ...started, seed: started.seed ?? 0 });
    open.set(key, [...(open.get(key) ?? []), id]);
  }
  return (spec) => open.get(startKeyOf(spec))?.shift() ?? null;
}

/** More questions than this wait in no run at once. */
const WAITING_MAX = 1_000;

/** Progress of a run that is played at this pace; at none where it is not. */
export function progressAt(
  { projections }: EventLog,
  { planned, finished, excluded }: Pick<RunProgress, 'planned' | 'finished' | 'excluded'>,
  pace: Pace | null,
  now: number,
): RunProgress {
  if (pace === null) return { planned, finished, running: 0, waiting: 0, excluded, eta_s: null };
  const { live, done, startedAt } = pace;
  const asking =
    live.size === 0
      ? []
      : [...projections.desk(WAITING_MAX).items, ...projections.holds(WAITING_MAX)].filter(({ episode }) =>
          live.has(episode),
        );
  const waiting = new Set(asking.map(({ episode }) => episode)).size;
  // The pace so far says nothing of when a person comes.
  const isKnown = done > 0 && waiting === 0;
  const eta_s = isKnown ? Math.round((((now - startedAt) / done) * (planned - finished)) / 1000) : null;
  return { planned, finished, running: live.size, waiting, excluded, eta_s };
}
