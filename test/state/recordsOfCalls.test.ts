import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { recordsOfCalls } from '../../src/main/state/recordsOfCalls.ts';
import { readPacks } from '../../src/main/worlds/pack.ts';
import { collectNames, nameOf } from '../../src/shared/sentences/names.ts';
import { packsFolder } from '../support/worlds.ts';

type Database = Sqlite.Database;

const namesOf = (image: Uint8Array, args: Record<string, unknown>) =>
  nameOf(
    collectNames(
      recordsOfCalls(image, [{ arguments: args }]).map(({ kind, text }) => ({ tool: kind, text })),
    ),
  );

function imageOf(fill: (db: Database) => void): Uint8Array {
  const db = new Sqlite(':memory:');
  fill(db);
  const image = db.serialize();
  db.close();
  return image;
}

/** The tables that columns of this name point at in any table, and those that are called so. */
function tablesOf(db: Database, argument: string): string[] {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const kind = argument.replace(/^(?:from|to|new|old|source|target)_/, '').replace(/_ids?$/, '');
  const keys = tables.flatMap(
    (table) => db.pragma(`foreign_key_list(${table})`) as { from: string; table: string }[],
  );
  const pointed = keys.filter(({ from }) => from.endsWith(`${kind}_id`)).map(({ table }) => table);
  return [...new Set([...pointed, ...tables.filter((table) => table.startsWith(kind.slice(0, -1)))])];
}

describe.each([...readPacks(packsFolder).packs])('records of %s that a plan points at', (_name, pack) => {
  it('have the names in its database, for every id that any of its tools takes', () => {
    const image = pack.image();
    const db = new Sqlite(image);
    const wrong: string[] = [];
    let count = 0;
    const fields = [...pack.tools.values()].flatMap(({ name: tool, input_schema: schema }) =>
      Object.keys(schema.properties)
        .filter((field) => /_ids?$/.test(field))
        .map((field) => ({ tool, field })),
    );
    const idOf = (table: string): unknown[] =>
      db.prepare(`SELECT rowid FROM ${table} ORDER BY rowid LIMIT 30`).pluck().all();
    for (const { tool, field } of fields) {
      const ids = [...new Set(tablesOf(db, field).flatMap(idOf))];
      const nameIn = namesOf(image, { [field]: ids });
      for (const id of ids) {
        const name = nameIn(field, id, { tool });
        if (name === null) continue;
        count += 1;
        const rows = tablesOf(db, field).map((table) =>
          db.prepare(`SELECT * FROM ${table} WHERE rowid = ?`).get(id),
        );
        if (!rows.some((row) => Object.values((row ?? {}) as object).includes(name.name)))
          wrong.push(`${tool} ${field} ${String(id)}: ${name.name}`);
      }
    }
    db.close();

    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(15);
  });
});

describe('a record that a plan points at', () => {
  it('is found by what foreign keys say, where its table is called otherwise', () => {
    const image = imageOf((db) =>
      db.exec(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, full_name TEXT);
        CREATE TABLE flows (id INTEGER PRIMARY KEY, name TEXT, owner_id INTEGER REFERENCES users (id));
        INSERT INTO users VALUES (3, 'Ana Bo'); INSERT INTO flows VALUES (3, 'Nightly', 3);`),
    );

    expect(namesOf(image, { new_owner_id: 3 })('new_owner_id', 3)?.name).toBe('Ana Bo');
    expect(namesOf(image, { flow_ids: [3] })('flow_ids', 3)?.name).toBe('Nightly');
  });

  it('has no name where columns of one name point at two tables', () => {
    const image = imageOf((db) =>
      db.exec(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, full_name TEXT);
        CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE a (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES users (id));
        CREATE TABLE b (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES teams (id));
        INSERT INTO users VALUES (3, 'Ana Bo'); INSERT INTO teams VALUES (3, 'Ops');`),
    );

    expect(recordsOfCalls(image, [{ arguments: { owner_id: 3 } }])).toEqual([]);
  });
});
