// A world's database at any turn of an episode: from the live session, or from one rebuilt to that turn.
import type { EnvironmentOf, Images } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { leftState } from './leftState.ts';
import { rebuild } from './rebuild.ts';

/** `drift` counts results that differed while it was rebuilt. */
export type WorldImages = Images & { drift: number; source: 'live' | 'rebuilt' | 'left' };
type ImagesDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  newId: () => string;
  /** Where a file kept beside the log lies, by its hash. */
  kept: (sha256: string) => string | null;
};

const REBUILD_MS = 120_000;
/** Rebuilt states that are kept: a person pages through a table, or steps through turns. */
const IMAGES_KEPT = 6;

/**
 * State after `turn`, or now with null. Null where a rebuilt state cannot be read; throws `not_found` with the reason
 * where there is only what the server left behind, and that cannot be read.
 */
export function createImages({ log, environmentOf, newId, kept: keptFile }: ImagesDependencies) {
  const kept = new Map<string, WorldImages>();
  const keep = (key: string, state: WorldImages): void => {
    kept.set(key, state);
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - IMAGES_KEPT))) kept.delete(old);
  };
  return async (episode: string, turn: number | null): Promise<WorldImages | null> => {
    const record = log.record(episode);
    const environment = record.started === null ? null : environmentOf(record.started.environment);
    const live = turn === null ? (environment?.images(episode) ?? null) : null;
    if (live !== null) return { ...live, drift: 0, source: 'live' };
    const upToTurn = turn ?? record.counts.turns;
    const key = `${episode}@${String(upToTurn)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (environment?.capabilities.canRebuild !== true) {
      const left = leftState(record, turn, (text) => log.texts.loadText(text), keptFile);
      const state: WorldImages = { ...left, drift: 0, source: 'left' };
      keep(key, state);
      return state;
    }
    const name = `state-${newId()}`;
    const { session, drift } = await rebuild({
      record,
      upToTurn,
      loadText: (text) => log.texts.loadText(text),
      openSession: (_, signal) => environment.open(signal),
      reset: { episode_id: name },
      signal: AbortSignal.timeout(REBUILD_MS),
    });
    const found = environment.images(name);
    session.close();
    if (found === null) return null;
    const state: WorldImages = { ...found, drift: drift.length, source: 'rebuilt' };
    // A turn that is still being played would be kept half done.
    if (record.ended !== null || upToTurn < record.counts.turns) keep(key, state);
    return state;
  };
}
