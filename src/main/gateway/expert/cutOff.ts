// The questions of clients that the end of a process cut off, as the log has them.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { QuestionIdentity } from './rejoin.ts';

export type CutOffQuestion = { episode: string; consultation: string; identity: QuestionIdentity };

const PAGE = 200;
/** Older pages are not looked through: a client that lost an answer asks again within minutes. */
const PAGES_MAX = 25;

/**
 * Open and undelivered ones, and, for clients that named them, those that were delivered since then (UTC ms) or whose
 * episode has ended since.
 */
export function cutOffQuestions(log: EventLog, since: number): CutOffQuestion[] {
  const ids = new Set([...log.projections.open(), ...endedSince(log, since)]);
  return [...ids].flatMap((id) => questionsOf(log.record(id), since));
}

function endedSince(log: EventLog, since: number): string[] {
  const found: string[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { query: '', status: null, condition: null, offset: page * PAGE, limit: PAGE };
    const fresh = log.projections.episodes(query).rows.filter(({ updated_at }) => updated_at >= since);
    if (fresh.length === 0) break;
    found.push(...fresh.map(({ id }) => id));
  }
  return found;
}

const questionsOf = ({ id, ended, consultations }: EpisodeRecord, since: number): CutOffQuestion[] =>
  consultations.flatMap(({ id: consultation, client, decision, delivered }) => {
    if (client === null || (decision?.type === 'cancelled' && decision.isByEnd !== true)) return [];
    const { request_sha256: request, idempotency_sha256: idempotency } = client;
    const over = delivered ?? ended;
    // Whether somebody has read the answer of an ended episode is not known: without a name it is nobody's.
    const isWanted = over === null || (idempotency !== null && over.at >= since);
    return isWanted ? [{ episode: id, consultation, identity: { request, idempotency } }] : [];
  });
