// Counting the list with two filters from an index alone, without reading its lines.
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { whereOf } from '../../src/main/log/episodeList.ts';
import type { EpisodeFilter } from '../../src/shared/contract/library.ts';

const FILTERS: EpisodeFilter[] = [
  { scenario: 'crm', has_advice: false },
  { scenario: 'crm', outcome: 'error' },
  { outcome: 'error', has_advice: true },
  { outcome: 'error', has_step_ins: true },
  { scenario: 'crm', reward_max: 0 },
];

test.each(FILTERS)('the list with the filters %j is counted without its lines being read', (filter) => {
  const db = openDatabase(':memory:');
  const { sql, values } = whereOf({ query: '', status: null, condition: null, filter });
  const plan = db
    .prepare<unknown[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT count(*) FROM episode_list WHERE ${sql.join(' AND ')}`,
    )
    .all(...values);
  db.close();
  expect(plan.map(({ detail }) => detail).join()).toContain('COVERING INDEX');
});
