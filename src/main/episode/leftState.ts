// The state a server on this machine left behind at the end of an episode, and in words why there is none.
import { dirname } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Text } from '../../shared/events/text.ts';
import { ServerFrame } from '../../shared/wireFrames.ts';
import { copyDatabaseFile, readSessionFolder, type FolderImages } from '../state/sessionFolder.ts';

const KEEP = 'Start the episode with “Keep the server’s session folder”: then its end can be read.';

/**
 * State at the start (`turn` 0) or at the end of an episode played by a server that is not ours. Throws `not_found`
 * with the reason and what would help.
 */
export function leftState(
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

/** What was left behind is the start and the end. */
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

/** Where the reply to `done` says that session and trajectory lie. */
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
