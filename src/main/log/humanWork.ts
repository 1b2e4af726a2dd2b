// Selects the events that are people's work in their own episode, as SQL over `events`.
import { kindsWhere } from '../../shared/events/vocabulary.ts';

/** As the index has it, which holds just the events that a person may have written. Who it was is asked of the actor. */
const PERHAPS_HUMAN = `instr(actor, '"human"')`;
const workOf = (work: 'decision' | 'writing'): string => {
  const kinds = kindsWhere((kind) => kind.work === work).map((kind) => `'${kind}'`);
  return `${PERHAPS_HUMAN} AND kind IN (${kinds.join(', ')})`;
};
export const DECISION_EVENTS = workOf('decision');
const WRITTEN_EVENTS = workOf('writing');

/** Copies stand before the event that tells where they came from. */
export const NOT_COPIED = `NOT EXISTS (
  SELECT 1 FROM events f WHERE f.kind = 'episode.forked' AND f.stream = events.stream AND f.n > events.n)`;

const latestAct = (kinds: string, where: string): string =>
  `SELECT max(at) AS at, max(json_extract(body, '$.timing.active_ms')) AS ms FROM events
   WHERE ${kinds} AND ${where} AND json_extract(actor, '$.type') = 'human' AND ${NOT_COPIED}
   GROUP BY coalesce(json_extract(body, '$.human_act'), seq)`;

/** The acts of people: decisions, notes and moves made in an agent's place. One act on several asks is one row. */
export const actsWhere = (where: string): string =>
  `${latestAct(DECISION_EVENTS, where)} UNION ALL ${latestAct(WRITTEN_EVENTS, where)}`;
