// What became of answers after they were acknowledged: read by who asked, waiting for a person's word, or kept for someone
// who is gone, with the cause.
import Sqlite from 'better-sqlite3';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import type { Acknowledged } from './clients.ts';
import type { ExpertAnswers } from './rollouts.ts';
import { QUESTION } from './servers.ts';

export type Deliveries = {
  byModel: number;
  byClient: number;
  /** Never read, how often by cause. */
  explained: Map<string, number>;
  /** Not read yet: the episode goes on with a person's word alone, which is given. */
  waiting: Acknowledged[];
  /** Never read, and nothing in the log or of the client says why. */
  unexplained: Acknowledged[];
};

type Readers = { path: string; seenByModel: ReadonlySet<string>; expert: ExpertAnswers };

export function deliveriesOf(
  acknowledged: readonly Acknowledged[],
  { path, seenByModel, expert }: Readers,
): Deliveries {
  const found: Deliveries = { byModel: 0, byClient: 0, explained: new Map(), waiting: [], unexplained: [] };
  const unseen: Acknowledged[] = [];
  for (const one of acknowledged) {
    const question = QUESTION.exec(one.text)?.[0] ?? '';
    if (seenByModel.has(one.text)) found.byModel += 1;
    else if (expert.readers.has(one.text)) found.byClient += 1;
    // By its name a client comes back until it has its answer.
    else if (expert.left.has(question) && !expert.named.has(question))
      count(found.explained, 'its client left before the answer');
    else unseen.push(one);
  }
  const states = unseen.length === 0 ? new Map<string, EpisodeState>() : statesIn(path);
  for (const one of unseen) {
    const state = states.get(one.episode);
    if (state === undefined) found.unexplained.push(one);
    else if (state === WAITS) found.waiting.push(one);
    else count(found.explained, state.ended);
  }
  return found;
}

const count = (of: Map<string, number>, what: string): void => void of.set(what, (of.get(what) ?? 0) + 1);

const WAITS = 'waits';
type EpisodeState = typeof WAITS | { ended: string };
type Row = { stream: string; kind: string; body: string };

/**
 * Why an episode reads no answers now. One that came to its own end has read all that it waited for, and one that was
 * ended because of the restart should not have been.
 */
function statesIn(path: string): Map<string, EpisodeState> {
  const states = new Map<string, EpisodeState>();
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    const rows = db
      .prepare<[], Row>(
        `SELECT stream, kind, body FROM events WHERE kind IN ('episode.ended', 'episode.broke_off',
         'episode.picked_up', 'call.doubted', 'doubt.settled') ORDER BY seq`,
      )
      .all();
    for (const { stream, kind, body } of rows) {
      const event: unknown = tryJson(body);
      if (!isRecord(event)) continue;
      const ended = kind === 'episode.ended' ? endingOf(event) : null;
      if (kind === 'episode.broke_off' || kind === 'call.doubted') states.set(stream, WAITS);
      else if (ended !== null) states.set(stream, { ended });
      else states.delete(stream);
    }
  } finally {
    db.close();
  }
  return states;
}

function endingOf({ outcome, failure }: Record<string, unknown>): string | null {
  if (outcome === 'done' || outcome === 'interrupted') return null;
  const code = isRecord(failure) ? `, ${String(failure['code'])}` : '';
  return `its episode ended first (${String(outcome)}${code})`;
}
