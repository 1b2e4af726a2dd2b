// What every step-in is checked for before it is written.
import type { Timing } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';

export const UNKNOWN_TIMING: Timing = { first_seen_at: null, active_ms: null };

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
