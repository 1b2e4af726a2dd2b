// A world's database at any turn of an episode: from the live session, from one rebuilt to that turn, from what a server
// left behind, or from the data that its first state is made of.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { taskRef } from '../../shared/episode/taskRef.ts';
import { Failure } from '../../shared/failure.ts';
import type { SeedProblem } from '../../shared/seed.ts';
import type { Environment, EnvironmentOf, EnvironmentSession, Images } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { isOnThisMachine, leftState } from './leftState.ts';
import { rebuild } from './rebuild.ts';
import { taskOfEpisode } from './taskKnowledge.ts';

export type WorldImages = Images & {
  /** Counts results that differed while it was rebuilt. */
  drift: number;
  source: 'live' | 'rebuilt' | 'left' | 'seed';
  /** The last turn whose call is in it; absent for a state that is always the newest. */
  atTurn?: number;
  /** Statements of the seed that did not run. */
  seedProblems?: SeedProblem[];
};
type ImagesDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  newId: () => string;
  /** Where a file kept beside the log lies, by its hash. */
  kept: (sha256: string) => string | null;
};

const REBUILD_MS = 240_000;
/** Rebuilt states that are kept: a person pages through a table, or steps through turns. */
const IMAGES_KEPT = 6;

/**
 * State after `turn`, or now with null. Null where a rebuilt state cannot be read; throws `not_found` with the reason
 * where nothing of it can be read here.
 */
export function createImages(parts: ImagesDependencies) {
  const { log, environmentOf } = parts;
  const kept = new Map<string, Promise<WorldImages | null>>();
  const keep = (
    key: string,
    read: () => Promise<WorldImages | null>,
    isKept: boolean,
  ): Promise<WorldImages | null> => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const reading = read();
    kept.set(key, reading);
    // A failure is tried again; a turn that is still being played would be kept half done.
    const forget = (): void => {
      if (kept.get(key) === reading) kept.delete(key);
    };
    reading.then((found) => (found === null || !isKept ? forget() : undefined), forget);
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - IMAGES_KEPT))) kept.delete(old);
    return reading;
  };
  return async (episode: string, turn: number | null): Promise<WorldImages | null> => {
    const record = log.record(episode);
    const environment = record.started === null ? null : environmentOf(record.started.environment);
    const live = turn === null ? (environment?.images(episode) ?? null) : null;
    if (live !== null) return { ...live, drift: 0, source: 'live' };
    if (environment?.capabilities.canRebuild !== true) {
      const upToTurn = Math.min(turn ?? Infinity, lastReturned(record));
      const key = `${episode}@${String(upToTurn)}${record.ended === null ? '' : ' over'}`;
      return keep(key, () => elsewhere(parts, record, environment, turn, upToTurn), true);
    }
    const upToTurn = turn ?? record.counts.turns;
    const isWhole = record.ended !== null || upToTurn < record.counts.turns;
    return keep(
      `${episode}@${String(upToTurn)}`,
      () =>
        rebuilt(parts, record, environment, upToTurn, async (session, name) => {
          session.close();
          return environment.images(name);
        }),
      isWhole,
    );
  };
}

/** The last turn whose call something came back from: a later one may be under way. */
const lastReturned = ({ turns }: EpisodeRecord): number =>
  turns.findLast(({ call }) => (call?.returned ?? null) !== null)?.turn ?? 0;

type Leave = (session: EnvironmentSession, name: string) => Promise<Images | null>;

/** A session of its own is brought to where the episode was; `leave` takes its state and ends it. */
async function rebuilt(
  { log, newId }: ImagesDependencies,
  record: EpisodeRecord,
  environment: Environment,
  upToTurn: number,
  leave: Leave,
): Promise<WorldImages | null> {
  const name = `state-${newId()}`;
  const { session, drift } = await rebuild({
    record,
    upToTurn,
    loadText: (text) => log.texts.loadText(text),
    openSession: (_, signal) => environment.open(signal),
    reset: { episode_id: name },
    signal: AbortSignal.timeout(REBUILD_MS),
  });
  try {
    const found = await leave(session, name);
    return found === null ? null : { ...found, drift: drift.length, source: 'rebuilt' };
  } finally {
    session.close();
  }
}

/**
 * The state of a world that another server holds: what it left behind, else from a session of our own there, else the
 * first state by the data. Never from the episode's own session.
 */
async function elsewhere(
  parts: ImagesDependencies,
  record: EpisodeRecord,
  environment: Environment | null,
  turn: number | null,
  upToTurn: number,
): Promise<WorldImages> {
  const { log, kept } = parts;
  try {
    const left = leftState(record, turn, (text) => log.texts.loadText(text), kept);
    return { ...left, drift: 0, source: 'left' };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || environment === null) throw thrown;
    const again = await replayed(parts, record, environment, upToTurn);
    if (again !== null) return { ...again, atTurn: upToTurn };
    const first = await seeded(parts, record, environment);
    if (first !== null) return first;
    throw thrown;
  }
}

/** Null where the server is elsewhere, is none of the Agent World Model, or does not let its state be read. */
async function replayed(
  parts: ImagesDependencies,
  record: EpisodeRecord,
  environment: Environment,
  upToTurn: number,
): Promise<WorldImages | null> {
  const { started, imported, reset } = record;
  if (started === null || imported !== null || (reset?.reward_type ?? null) === null) return null;
  if (!isOnThisMachine(started.environment.url)) return null;
  try {
    return await rebuilt(parts, record, environment, upToTurn, (session) => session.leaveImages());
  } catch {
    // The server is gone or full: the reason why its own state cannot be read is the better one.
    return null;
  }
}

async function seeded(
  { log }: ImagesDependencies,
  record: EpisodeRecord,
  environment: Environment,
): Promise<WorldImages | null> {
  const { scenario } = taskRef(record);
  if (scenario === null) return null;
  try {
    // The data is that of this environment only if it knows the task.
    if ((await environment.taskSecrets(taskOfEpisode(log, record))).secrets === null) return null;
    const found = await environment.seed(scenario);
    if (found === null) return null;
    const { image, problems } = found;
    return { initial: image, current: image, drift: 0, source: 'seed', atTurn: 0, seedProblems: problems };
  } catch {
    return null;
  }
}
