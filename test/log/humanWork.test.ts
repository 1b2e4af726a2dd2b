import { expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { DECISION_EVENTS, WRITTEN_EVENTS } from '../../src/main/log/humanWork.ts';

it('the time people spent is counted from an index of just the kinds that are their work', () => {
  const db = openDatabase(':memory:');
  const indexed = (name: string): string => {
    const sql = db
      .prepare<[string], string>('SELECT sql FROM sqlite_master WHERE name = ?')
      .pluck()
      .get(name);
    return (sql?.split(' WHERE ')[1] ?? '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('( ', '(')
      .replaceAll(' )', ')');
  };

  expect(indexed('events_decisions')).toBe(DECISION_EVENTS);
  expect(indexed('events_written')).toBe(WRITTEN_EVENTS);
  for (const kinds of [DECISION_EVENTS, WRITTEN_EVENTS]) {
    const plan = db
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT at FROM events WHERE ${kinds} AND at > 0`)
      .all();
    expect(plan.map(({ detail }) => detail).join()).toMatch(/USING.* INDEX events_(decisions|written)/);
  }
  db.close();
});
