// What indexes and shortcuts answer is what reading everything through answers, over lists made by chance.
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { readPeople } from '../../src/main/log/people.ts';
import type { EpisodeOrder, OrderBy } from '../../src/shared/contract/library.ts';
import type { EpisodeRow } from '../../src/shared/episode/rowShapes.ts';
import { createRandom } from '../support/dataFolder.ts';
import { ended, HUMAN, openQuestion, started, SYSTEM } from '../support/log.ts';

const COUNT = 120;

function listByChance(seed: number) {
  const db = openDatabase(':memory:');
  let now = 1_000;
  const log = createEventLog({
    db,
    clock: () => now,
    onListenerError: (thrown) => expect(thrown).toBeNull(),
  });
  const below = createRandom(seed);
  for (let i = 0; i < COUNT; i += 1) {
    // Several start in the same moment.
    now += below(3);
    const id = `e${String(below(1_000_000))}-${String(i)}`;
    const scenario = [null, 'crm_2', 'shop_3', 'mail_6'][below(4)] ?? null;
    if (below(4) === 0) openQuestion(log, id);
    else log.append(id, SYSTEM, started({ scenario, task_idx: below(5) }));
    if (below(3) === 0)
      log.append(id, HUMAN, {
        kind: 'note.interjected',
        note: 'n',
        text: 'a note',
        privilege: [],
        timing: { first_seen_at: null, active_ms: 1_000 },
      });
    if (below(4) > 0)
      log.append(
        id,
        SYSTEM,
        ended({ reward: below(4) / 4, reward_type: below(2) === 0 ? 'complete' : 'incomplete' }),
      );
  }
  const all = db
    .prepare<[], { row: string }>('SELECT row FROM episodes')
    .all()
    .map(({ row }) => JSON.parse(row) as EpisodeRow);
  return { db, log, all };
}

const KEYS: Readonly<Partial<Record<OrderBy, (row: EpisodeRow) => (string | number | null)[]>>> = {
  started_at: () => [],
  scenario: ({ scenario, task_idx: index }) => [scenario, index],
  reward: ({ reward }) => [reward],
  human_acts: ({ human_acts: acts }) => [acts],
  consultations: ({ consultations }) => [consultations],
  outcome: ({ outcome }) => [outcome],
  lift: () => [],
  running: () => [],
};

/** By its values, what has none last; then newest first; where it is asked for, what runs stands on top. */
function sortedPlainly(
  rows: readonly EpisodeRow[],
  { by, is_ascending: isAscending }: EpisodeOrder,
): string[] {
  const way = isAscending && by !== 'lift' && by !== 'running' ? 1 : -1;
  const isRunningFirst = by === 'running';
  const values = (row: EpisodeRow) => [
    ...(isRunningFirst ? [row.status === 'ended' ? 0 : 1] : []),
    ...(KEYS[by]?.(row) ?? []),
    row.started_at,
    row.id,
  ];
  const compare = (a: string | number | null, b: string | number | null): number => {
    if (a === b) return 0;
    if (a === null) return 1;
    if (b === null) return -1;
    return (a < b ? -1 : 1) * way;
  };
  return rows
    .toSorted((one, other) => {
      const others = values(other);
      return values(one).reduce<number>((found, value, i) => found || compare(value, others[i] ?? null), 0);
    })
    .map(({ id }) => id);
}

it.each([1, 2, 3])('lists, orders, counts and names what a plain scan does (seed %s)', (seed) => {
  const { db, log, all } = listByChance(seed);
  const { episodes, facets } = log.projections;
  const ask = { query: '', status: null, condition: null, offset: 0, limit: 2 * COUNT };
  for (const by of Object.keys(KEYS) as OrderBy[])
    for (const isAscending of [true, false]) {
      const order = { by, is_ascending: isAscending };
      expect(episodes({ ...ask, order }).rows.map(({ id }) => id)).toEqual(sortedPlainly(all, order));
    }
  const crm = all.filter(({ scenario }) => scenario === 'crm_2');
  expect(episodes({ ...ask, limit: 5, filter: { scenario: 'crm_2' } })).toMatchObject({ total: crm.length });
  expect(new Set(log.projections.open())).toEqual(
    new Set(all.filter(({ status }) => status !== 'ended').map(({ id }) => id)),
  );
  const namesOf = (key: 'scenario' | 'reward_type' | 'run') =>
    [...new Set(all.flatMap((row) => row[key] ?? []))].toSorted();
  expect(facets()).toMatchObject({
    scenarios: namesOf('scenario'),
    reward_types: namesOf('reward_type'),
    runs: namesOf('run'),
  });
  const helped = all.filter(({ status, human_acts: acts }) => status === 'ended' && acts > 0);
  const { episodes: count, reward } = readPeople(db, 0);
  expect(count).toBe(helped.length);
  expect(reward).toBeCloseTo(helped.reduce((sum, { reward: own }) => sum + (own ?? 0), 0));
  db.close();
});
