// Ending an episode that does not go on after the program was killed: what waits in it is cancelled, and it says why.
import { endedWithoutVerdict } from '../../shared/episode/endedWithoutVerdict.ts';
import { SYSTEM, type Actor } from '../../shared/events/actor.ts';
import type { FailureShape } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';

type Why = { reason?: string; failure?: FailureShape; by?: Actor };

/** Nobody waits for its questions any more. */
export function cancelOpen(log: EventLog, id: string, reason: string): void {
  for (const { id: consultation, decision } of log.record(id).consultations) {
    if (decision === null) log.append(id, SYSTEM, { kind: 'consultation.cancelled', consultation, reason });
  }
}

export function interrupt(log: EventLog, id: string, { reason, failure, by = SYSTEM }: Why = {}): void {
  cancelOpen(log, id, by.type === 'human' ? 'the owner ended the episode' : 'Interject was interrupted');
  const why = reason ?? 'Interject ended before the episode did';
  log.append(id, by, endedWithoutVerdict('interrupted', why, failure ?? null));
}

/** Leaves it to a person whether it goes on. What waits in it goes on waiting. */
export function breakOff(
  log: EventLog,
  id: string,
  {
    ranUntil,
    reason = null,
    failure = null,
  }: { ranUntil: number; reason?: string | null; failure?: FailureShape | null },
): void {
  log.append(id, SYSTEM, { kind: 'episode.broke_off', ran_until: ranUntil, reason, failure });
}
