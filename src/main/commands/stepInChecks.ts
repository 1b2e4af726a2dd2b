// What every step-in is checked for before it is written.
import type { Timing } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';

export const UNKNOWN_TIMING: Timing = { first_seen_at: null, active_ms: null };

/** Resolves with true once the log has all that the tap did by now; with false where that takes too long. */
export type TapRecorded = { recorded: () => Promise<boolean> };

/**
 * Waits until the log has what the tap did about the episode until now, as when a limit passed or its client left: what a
 * person decides of a held call stands on it. Throws `stale` where that takes too long.
 */
export async function waitUntilRecorded(
  { log, recorded }: TapRecorded & { log: EventLog },
  episode: string,
): Promise<void> {
  const { tapped, ended } = log.record(episode);
  if (tapped === null || ended !== null || (await recorded())) return;
  throw new Failure('stale', 'what its client did meanwhile is not yet recorded', {
    next: 'Try again in a moment.',
  });
}

/** The record of an episode that runs. Throws `not_found` or `closed`. */
export function liveRecord(log: EventLog, episode: string): EpisodeRecord {
  const record = log.record(episode);
  if (record.started === null) throw new Failure('not_found', `there is no episode ${episode}`);
  if (record.ended !== null) {
    throw new Failure('closed', 'the episode has ended', {
      next: 'Replay it, or start the same task again.',
    });
  }
  return record;
}
