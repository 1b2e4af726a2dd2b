// Asks that nobody answered in time, or that were kept from people, as the desk lists them for late advice.
import type { MissedAsk } from '../../shared/episode/rowShapes.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { attemptsBefore } from '../../shared/episode/attempts.ts';
import { taskRef } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';

/** Asks that expired since `since` (UTC ms), newest first. */
export const missedAsks = (log: EventLog, since: number, limit: number): MissedAsk[] =>
  log.projections
    .expired(since, limit)
    .flatMap(({ episode, consultation }) => missedAsk(log, episode, consultation) ?? []);

function missedAsk(log: EventLog, episode: string, id: string): MissedAsk | null {
  const record = log.record(episode);
  // It was to go unanswered.
  if (record.started?.lift !== undefined) return null;
  const asked = findConsultation(record, id);
  // A question for the advisor alone was never a person's to miss.
  if (asked?.decision?.type !== 'expired' || asked.answeredBy !== 'human') return null;
  return {
    episode,
    consultation: id,
    ...taskRef(record),
    task: record.reset?.task ?? null,
    turn: asked.turn,
    asked_task: asked.task,
    question: asked.question,
    asked_at: asked.askedAt,
    missed_at: asked.decision.at,
    reason: asked.decision.reason,
    rule: asked.admission?.rule ?? null,
    via: asked.via,
    link: asked.link,
    attempts: attemptsBefore(record, asked.before),
    late: log
      .read(`late/${episode}`)
      .filter(({ event }) => event.kind === 'advice.late' && event.consultation === id).length,
  };
}
