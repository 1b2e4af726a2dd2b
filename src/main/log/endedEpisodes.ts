// Episodes that have ended, in the order they started, a page at a time: what an export reads through. What the list
// knows of one is enough to leave it out unread.
import type { EpisodeFilter } from '../../shared/contract/library.ts';
import { SUPERSEDED } from '../../shared/events/library.ts';
import type { Database } from './database.ts';
import { countEpisodes, helpUnknownWhere, whereOf, type WhereClause } from './episodeList.ts';

export type EndedQuery = {
  filter: EpisodeFilter;
  /** These alone; null for all. */
  episodes: readonly string[] | null;
  /** Only what ended after this place in the log (0 for all), and at or before that one (null for all). */
  afterSeq: number;
  untilSeq: number | null;
};
export type EndedEpisode = {
  id: string;
  startedAt: number;
  environment: string;
  scenario: string | null;
  task_idx: number | null;
  condition: string | null;
  outcome: string | null;
  reward_type: string | null;
  reward: number | null;
  source: string | null;
  /** 1 where texts of it were taken out of the log. */
  isErased: number;
  /** 1 where a longer version of it was imported since. */
  isSuperseded: number;
  /** 1 where it was played only to learn about its task. */
  isProbe: number;
  /** 1 where it goes on from another episode's answer, to measure what that was worth. */
  isContinuation: number;
};
export type EndedEpisodes = {
  count: (query: EndedQuery) => number;
  /** Those that a filter for no advice leaves out because nobody knows whether they had some. */
  countHelpUnknown: (query: EndedQuery) => number;
  /** Those after a given one, at most `limit`. */
  page: (
    query: EndedQuery,
    after: Pick<EndedEpisode, 'id' | 'startedAt'> | null,
    limit: number,
  ) => EndedEpisode[];
};

/** Erased after its end in the log. A fork's end is its own: what it copied had none. */
const ERASED = `EXISTS (SELECT 1 FROM events WHERE stream = episode_list.id AND kind = 'episode.erased' AND n >
  (SELECT n FROM events WHERE stream = episode_list.id AND kind = 'episode.ended' ORDER BY n DESC LIMIT 1))`;
const SUPERSEDED_TAG = `EXISTS (SELECT 1 FROM tags WHERE episode = episode_list.id AND tag = '${SUPERSEDED}')`;
const hasField = (name: string): string =>
  `EXISTS (SELECT 1 FROM episodes WHERE id = episode_list.id AND json_extract(row, '$.${name}') IS NOT NULL)`;
const ENDED_AT = `(SELECT seq FROM events WHERE stream = episode_list.id AND kind = 'episode.ended'
  ORDER BY n DESC LIMIT 1)`;

export function createEndedEpisodes(db: Database): EndedEpisodes {
  return {
    count: (query) => countEpisodes(db, narrowWhere(query, whereOf(listQuery(query)))),
    countHelpUnknown: (query) => {
      const unknown = helpUnknownWhere(listQuery(query));
      return unknown === null ? 0 : countEpisodes(db, narrowWhere(query, unknown));
    },
    page: (query, after, limit) => {
      const { sql, values } = narrowWhere(query, whereOf(listQuery(query)));
      const place = after === null ? [] : [after.startedAt, after.id];
      return db
        .prepare<unknown[], EndedEpisode>(
          `SELECT id, started_at AS startedAt, environment, scenario, task_idx AS task_idx, condition, outcome,
             reward_type AS reward_type, reward, source, ${ERASED} AS isErased, ${SUPERSEDED_TAG} AS isSuperseded, ${hasField('probe')} AS isProbe,
             ${hasField('lift_arm')} AS isContinuation FROM episode_list
           WHERE ${sql.join(' AND ')} ${after === null ? '' : 'AND (started_at, id) > (?, ?)'}
           ORDER BY started_at, id LIMIT ?`,
        )
        .all(...values, ...place, limit);
    },
  };
}

const listQuery = ({ filter }: EndedQuery) =>
  ({ query: '', status: 'ended', condition: null, filter }) as const;

function narrowWhere({ episodes, afterSeq, untilSeq }: EndedQuery, where: WhereClause): WhereClause {
  const all = [...where.values];
  const parts = [...where.sql];
  // Looked up for each episode: a second for a hundred thousand, where every one of them fits.
  if (untilSeq !== null) {
    parts.push(`${ENDED_AT} BETWEEN ? AND ?`);
    all.push(afterSeq + 1, untilSeq);
  } else if (afterSeq > 0) {
    parts.push(`${ENDED_AT} > ?`);
    all.push(afterSeq);
  }
  if (episodes !== null) {
    parts.push('id IN (SELECT value FROM json_each(?))');
    all.push(JSON.stringify(episodes));
  }
  return { sql: parts, values: all };
}
