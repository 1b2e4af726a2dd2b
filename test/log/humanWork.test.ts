import { expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { actsWhere } from '../../src/main/log/humanWork.ts';

it('the time people spent is counted from an index of just the events that people wrote', () => {
  const db = openDatabase(':memory:');
  const plan = db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${actsWhere('at > 0')}`)
    .all()
    .map(({ detail }) => detail);

  expect(plan.filter((step) => /^(?:SEARCH|SCAN) events\b/.test(step))).toEqual([
    expect.stringMatching(/USING INDEX events_by_people/),
    expect.stringMatching(/USING INDEX events_by_people/),
  ]);
  db.close();
});
