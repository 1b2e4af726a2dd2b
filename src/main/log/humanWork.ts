// Which events are work that people did in their own episode, as SQL over `events`.
import { kindsWhere, type Kind } from '../../shared/events/vocabulary.ts';

/**
 * Kept as written in the indexes, kinds and their order too: another kind changes the schema. Nearly every event was written by no person, so the test that
 * rules those out comes first: they cost next to nothing to write. Whether it was a person is asked of the actor itself.
 */
const PERHAPS_HUMAN = `instr(actor, '"human"')`;
const kindsIn = (kinds: readonly Kind[]): string =>
  `${PERHAPS_HUMAN} AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
export const DECISION_EVENTS = kindsIn(kindsWhere(({ work }) => work === 'decision'));
const written = kindsWhere(({ work }) => work === 'writing').toSorted();
export const WRITTEN_EVENTS = `${kindsIn(written)} AND json_extract(actor, '$.type') = 'human'`;

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
