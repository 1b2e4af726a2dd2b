// Owns: a world's database at any turn of an episode: from the live session, or from one rebuilt to that turn.
import type { EventLog } from '../log/eventLog.ts';
import { leftState } from './leftState.ts';
import { rebuild, type OpenSession } from './rebuild.ts';

type Pair = { initial: Uint8Array; current: Uint8Array };
/** `drift` counts results that differed while it was rebuilt. */
export type State = Pair & { drift: number; source: 'live' | 'rebuilt' | 'left' };
type Parts = {
  log: EventLog;
  openSession: OpenSession;
  /** Of the session that plays an episode, where it can be read. */
  images: (episode: string) => Pair | null;
  newId: () => string;
  /** Where a file kept beside the log lies, by its hash. */
  kept: (sha256: string) => string | null;
};

const REBUILD_MS = 120_000;
/** Rebuilt states that are kept: a person pages through a table, or steps through turns. */
const KEPT = 6;

/**
 * State after `turn`, or now with null. Null where a built-in world's state cannot be read; throws `not_found` with the
 * reason where another server's cannot.
 */
export function createImages({ log, openSession, images, newId, kept: keptFile }: Parts) {
  const kept = new Map<string, State>();
  const keep = (key: string, state: State): void => {
    kept.set(key, state);
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT))) kept.delete(old);
  };
  return async (episode: string, turn: number | null): Promise<State | null> => {
    const live = turn === null ? images(episode) : null;
    if (live !== null) return { ...live, drift: 0, source: 'live' };
    const record = log.record(episode);
    const upToTurn = turn ?? record.counts.turns;
    const key = `${episode}@${String(upToTurn)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (record.started?.environment.builtin !== true) {
      const left = leftState(record, turn, (text) => log.texts.whole(text), keptFile);
      const state: State = { ...left, drift: 0, source: 'left' };
      keep(key, state);
      return state;
    }
    const name = `state-${newId()}`;
    const { session, drift } = await rebuild({
      record,
      upToTurn,
      whole: (text) => log.texts.whole(text),
      openSession,
      reset: { episode_id: name },
      signal: AbortSignal.timeout(REBUILD_MS),
    });
    const found = images(name);
    session.close();
    if (found === null) return null;
    const state: State = { ...found, drift: drift.length, source: 'rebuilt' };
    // A turn that is still being played would be kept half done.
    if (record.ended !== null || upToTurn < record.counts.turns) keep(key, state);
    return state;
  };
}
