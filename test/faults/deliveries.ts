// What became of answers after they were acknowledged: read by who asked, or kept for someone who is gone, with the cause.
import Sqlite from 'better-sqlite3';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import type { Acknowledged, ExpertAnswers } from './clients.ts';
import { QUESTION } from './servers.ts';

export type Deliveries = {
  byModel: number;
  byClient: number;
  /** Never read, how often by cause. */
  explained: Map<string, number>;
  /** Never read, and nothing in the log or of the client says why. */
  unexplained: Acknowledged[];
};

type Readers = { path: string; seenByModel: ReadonlySet<string>; expert: ExpertAnswers };

export function deliveriesOf(
  acknowledged: readonly Acknowledged[],
  { path, seenByModel, expert }: Readers,
): Deliveries {
  const found: Deliveries = { byModel: 0, byClient: 0, explained: new Map(), unexplained: [] };
  const unseen: Acknowledged[] = [];
  for (const one of acknowledged) {
    const question = QUESTION.exec(one.text)?.[0] ?? '';
    if (seenByModel.has(one.text)) found.byModel += 1;
    else if (expert.read.has(question)) found.byClient += 1;
    else if (expert.left.has(question)) count(found.explained, 'its client left before the answer');
    else unseen.push(one);
  }
  const endings = unseen.length === 0 ? new Map<string, string>() : endingsIn(path);
  for (const one of unseen) {
    const cause = endings.get(one.episode);
    if (cause === undefined) found.unexplained.push(one);
    else count(found.explained, cause);
  }
  return found;
}

const count = (of: Map<string, number>, what: string): void => void of.set(what, (of.get(what) ?? 0) + 1);

type Row = { stream: string; kind: string; body: string };

/** Why an episode reads no more answers. One that came to its own end has read all that it waited for. */
function endingsIn(path: string): Map<string, string> {
  const endings = new Map<string, string>();
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    const rows = db
      .prepare<[], Row>(
        `SELECT stream, kind, body FROM events WHERE kind IN ('episode.ended', 'episode.went_on') ORDER BY seq`,
      )
      .all();
    for (const { stream, kind, body } of rows) {
      const event: unknown = tryJson(body);
      if (!isRecord(event)) continue;
      if (kind === 'episode.went_on' && event['in_doubt'] !== null)
        endings.set(stream, 'its episode waits for a word about a call in doubt');
      else if (kind === 'episode.ended' && event['outcome'] !== 'done')
        endings.set(stream, `its episode ended first (${String(event['outcome'])})`);
      else endings.delete(stream);
    }
  } finally {
    db.close();
  }
  return endings;
}
