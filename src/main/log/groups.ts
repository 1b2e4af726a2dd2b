// Rollouts of one prompt, read from the episode list: each group at a glance.
import type { GroupRow } from '../../shared/contract/gateway.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import type { Database } from './database.ts';

export type Groups = {
  page(query: { query: string; offset: number; limit: number }): { total: number; groups: GroupRow[] };
};

type GroupLine = Omit<GroupRow, 'conditions'> & { conditions: string };

/** Written as in the index, so that it is used. */
export const GROUP = `json_extract(row, '$.group')`;

export function createGroups(db: Database): Groups {
  return {
    page: ({ query, offset, limit }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const like = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
      const matches = words.map(
        () => `AND (lower(haystack || ' ' || ${GROUP} || ' ' || coalesce(json_extract(row, '$.run'), ''))
                 LIKE ? ESCAPE '\\')`,
      );
      const found = `SELECT DISTINCT ${GROUP} FROM episodes WHERE ${GROUP} IS NOT NULL ${matches.join(' ')}`;
      const total = db.prepare<string[], { total: number }>(`SELECT count(*) AS total FROM (${found})`);
      const page = db.prepare<unknown[], GroupLine>(pageSql(found));
      return {
        total: total.get(...like)?.total ?? 0,
        groups: page.all(...like, limit, offset).map((line) => ({
          ...line,
          conditions: line.conditions.split(',').flatMap((one) => Condition.safeParse(one).data ?? []),
        })),
      };
    },
  };
}

const pageSql = (found: string): string => `
  SELECT ${GROUP} AS "group",
    min(json_extract(row, '$.run')) AS run,
    min(json_extract(row, '$.step')) AS step,
    min(json_extract(row, '$.environment_key')) AS environment_key,
    min(json_extract(row, '$.scenario')) AS scenario,
    min(json_extract(row, '$.task_idx')) AS task_idx,
    min(json_extract(row, '$.task')) AS task,
    group_concat(DISTINCT condition) AS conditions,
    count(*) AS size,
    sum(status = 'ended') AS ended,
    sum(coalesce(json_extract(row, '$.reward_type') = 'complete', 0)) AS completed,
    avg(json_extract(row, '$.reward')) AS reward_mean,
    min(json_extract(row, '$.reward')) AS reward_min,
    max(json_extract(row, '$.reward')) AS reward_max,
    min(started_at) AS started_at
  FROM episodes WHERE ${GROUP} IN (${found})
  GROUP BY ${GROUP} ORDER BY max(started_at) DESC, ${GROUP} LIMIT ? OFFSET ?`;
