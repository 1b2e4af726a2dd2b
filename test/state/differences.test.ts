import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { Failure } from '../../src/shared/failure.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';
import { compareImages } from '../../src/main/state/database.ts';

const image = (sql: string): Buffer => {
  const db = new Sqlite(':memory:');
  db.exec(sql);
  const bytes = db.serialize();
  db.close();
  return bytes;
};

const items = (rows: readonly (readonly [number, string])[]): string =>
  `CREATE TABLE items (id INTEGER PRIMARY KEY, note TEXT); CREATE TABLE still (id INTEGER PRIMARY KEY, value);
   INSERT INTO still VALUES (1, x'0102'), (2, 0.5), (3, NULL);
   ${rows.map(([id, note]) => `INSERT INTO items VALUES (${String(id)}, '${note}');`).join('\n')}`;

it('lists exactly the rows that SQLite itself finds added, removed and changed', () => {
  const random = seededRandom('differences');
  const draw = (): [number, string][] =>
    Array.from({ length: 12 }, (_, id): [number, string] => [id, random() < 0.7 ? 'same' : 'other']).filter(
      () => random() < 0.8,
    );
  for (let round = 0; round < 30; round += 1) {
    const [was, is] = [draw(), draw()];
    // The second road: both tables in one database, joined by SQL.
    const both = new Sqlite(':memory:');
    both.exec('CREATE TABLE was (id, note); CREATE TABLE is_now (id, note)');
    for (const row of was) both.prepare('INSERT INTO was VALUES (?, ?)').run(row);
    for (const row of is) both.prepare('INSERT INTO is_now VALUES (?, ?)').run(row);
    const count = (sql: string): unknown => both.prepare(`SELECT count(*) ${sql}`).pluck().get();
    const expected = {
      added: count('FROM is_now WHERE id NOT IN (SELECT id FROM was)'),
      removed: count('FROM was WHERE id NOT IN (SELECT id FROM is_now)'),
      changed: count('FROM was JOIN is_now USING (id) WHERE was.note <> is_now.note'),
    };
    both.close();

    const [change, ...others] = compareImages(image(items(was)), image(items(is)));

    expect(others).toEqual([]);
    const { added = 0, removed = 0, changed = 0 } = change ?? {};
    expect({ added, removed, changed }).toEqual(expected);
    expect(change?.rows.length ?? 0).toBe(added + removed + changed);
  }
});

it('sees a column that was renamed though every value stayed, and a table that came or went', () => {
  const before = image('CREATE TABLE a (id INTEGER PRIMARY KEY, old TEXT); INSERT INTO a VALUES (1, 1)');
  const after = image(
    'CREATE TABLE a (id INTEGER PRIMARY KEY, new TEXT); INSERT INTO a VALUES (1, 1); CREATE TABLE b (c); INSERT INTO b VALUES (2)',
  );

  const changes = compareImages(before, after);

  expect(changes).toMatchObject([
    { table: 'a', changed: 1, rows: [{ before: { old: '1' }, after: { new: '1' } }] },
    { table: 'b', added: 1, rows: [{ after: { c: 2 } }] },
  ]);
  expect(compareImages(after, before).map(({ table, removed }) => [table, removed])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});

it('says that a database is damaged, even where both are damaged alike', () => {
  const broken = image(items([[1, 'same']])).fill(0xff, 4096, 8192);

  expect(() => compareImages(broken, broken)).toThrow(Failure);
  expect(() => compareImages(image(items([])), broken)).toThrow(Failure);
});
