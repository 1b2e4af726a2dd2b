// A world's database at any turn of an episode: from the live session, from one rebuilt to that turn, from what a server
// left behind, or from the data that its first state is made of.
import { dirname } from 'node:path';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import type { Text } from '../../shared/events/text.ts';
import { Failure } from '../../shared/failure.ts';
import type { SeedProblem } from '../../shared/seed.ts';
import { ServerFrame } from '../../shared/wireFrames.ts';
import type { Environment, EnvironmentOf, EnvironmentSession, Images } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { copyDatabaseFile, type FolderImages, readSessionFolder } from '../state/sessionFolder.ts';
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
      const upToTurn = Math.min(
        turn ?? Infinity,
        record.turns.findLast(({ call }) => (call?.returned ?? null) !== null)?.turn ?? 0,
      );
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

/** A session of its own is brought to where the episode was; `leave` takes its state and ends it. */
async function rebuilt(
  { log, newId }: ImagesDependencies,
  record: EpisodeRecord,
  environment: Environment,
  upToTurn: number,
  leave: (session: EnvironmentSession, name: string) => Promise<Images | null>,
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

// The state a server on this machine left behind at the end of an episode, and in words why there is none.
const KEEP = 'Start the episode with “Keep the server’s session folder”: then its end can be read.';

/**
 * State at the start (`turn` 0) or at the end of an episode played by a server that is not ours. Throws `not_found`
 * with the reason and what would help.
 */
function leftState(
  record: EpisodeRecord,
  turn: number | null,
  loadText: (text: Text) => string,
  kept: (sha256: string) => string | null,
): FolderImages {
  const { started, reset, finished, turns } = record;
  if (record.imported !== null) return importedState(record, turn, kept);
  if (started === null || !isOnThisMachine(started.environment.url)) {
    throw cannot('The state of this world cannot be read: its server is not on this machine', null);
  }
  const doesKeep = started.keeps_session === true;
  if (finished === null) {
    if (record.ended === null && doesKeep)
      throw cannot('This server’s state can be read once the episode is over', null);
    throw cannot('This server keeps its databases to itself', doesKeep ? null : KEEP);
  }
  checkPlace(turns, turn);
  const images = readLeft(loadText(finished.frame), reset?.scenario ?? started.scenario);
  if (images === null) throw cannot('The server kept no session folder', doesKeep ? null : KEEP);
  return turn === 0 ? { initial: images.initial, current: images.initial } : images;
}

/** Only the start and the end were left behind. */
function checkPlace(turns: EpisodeRecord['turns'], turn: number | null): void {
  const last = turns.findLast(({ call }) => (call?.returned ?? null) !== null)?.turn ?? 0;
  if (turn === null || turn === 0 || turn >= last) return;
  throw cannot(
    'Of this server’s state only the start and the end can be read',
    `Go to the start or to turn ${String(last)}.`,
  );
}

/** The databases that lay beside an imported log, kept with it. */
function importedState(
  { imported, turns }: EpisodeRecord,
  turn: number | null,
  kept: (sha256: string) => string | null,
): FolderImages {
  const file = (role: 'initial_database' | 'final_database'): string => {
    const companion = imported?.companions.find((one) => one.role === role);
    if (companion === undefined) {
      throw cannot('No databases lay beside this log when it was imported', 'Import the folder they lie in.');
    }
    const path = kept(companion.sha256);
    if (path === null) throw cannot(`${companion.name} is no longer kept beside the log`, 'Import it again.');
    return path;
  };
  checkPlace(turns, turn);
  const initial = copyDatabaseFile(file('initial_database'));
  return { initial, current: turn === 0 ? initial : copyDatabaseFile(file('final_database')) };
}

/** The session and trajectory paths in the reply to `done`. */
function statePaths(frame: string): { session: string | null; trajectory: string | null } {
  const parsed = ServerFrame.safeParse(parseJsonOrNull(frame));
  if (!parsed.success || parsed.data.type !== 'observation') return { session: null, trajectory: null };
  const { session_dir: session, trajectory_path: trajectory } = parsed.data.data.observation;
  return { session: session ?? null, trajectory: trajectory ?? null };
}

/** A server may name a trajectory whose folder it then deletes. */
function readLeft(frame: string, scenario: string | null): FolderImages | null {
  const { session, trajectory } = statePaths(frame);
  if (session !== null) return readSessionFolder(session, scenario);
  if (trajectory === null) return null;
  try {
    return readSessionFolder(dirname(trajectory), scenario);
  } catch {
    return null;
  }
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A path that a server names is one of this machine only where the server is. */
export function isOnThisMachine(url: string): boolean {
  try {
    const { hostname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`);
    return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  } catch {
    return false;
  }
}

const cannot = (message: string, next: string | null): Failure =>
  new Failure('not_found', message, next === null ? {} : { next });
