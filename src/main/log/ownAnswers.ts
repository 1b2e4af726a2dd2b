// Finding what one seat decided about questions, newest first, in the events themselves.
import type { Database } from './database.ts';
import { DECISION_EVENTS, NOT_COPIED } from './humanWork.ts';

type DecisionPlace = { stream: string; n: number };
export type OwnAnswers = (
  seat: string,
  offset: number,
  limit: number,
) => { total: number; places: DecisionPlace[] };

const BY_SEAT = `json_extract(actor, '$.type') = 'human' AND json_extract(actor, '$.id') = :seat`;
/** The whole list of decisions keeps their index in use; see the schema. */
const OWN = `
  SELECT seq, stream, n FROM events WHERE ${DECISION_EVENTS} AND kind IN ('advice.approved', 'advice.declined') AND ${BY_SEAT} AND ${NOT_COPIED}
  UNION ALL
  SELECT seq, stream, n FROM events WHERE stream >= 'late/' AND stream < 'late0' AND ${BY_SEAT}`;

export function createOwnAnswers(db: Database): OwnAnswers {
  const count = db.prepare<[{ seat: string }], { total: number }>(`SELECT count(*) AS total FROM (${OWN})`);
  const page = db.prepare<[{ seat: string; offset: number; limit: number }], DecisionPlace>(
    `SELECT stream, n FROM (${OWN}) ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
  );
  return (seat, offset, limit) => ({
    total: count.get({ seat })?.total ?? 0,
    places: page.all({ seat, offset, limit }),
  });
}
