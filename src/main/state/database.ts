// Looking into any world's database, read-only: its tables, a page of rows. Bytes or a file; nothing is written. Must
// not know: which world it is.
import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import type { StateTable, TablePage } from '../../shared/contract/state.ts';
import type { TableChange } from '../../shared/events/world.ts';
import { Failure } from '../../shared/failure.ts';

type CellValue = string | number | null;

/** Opens a copy of a database in memory, or a file read-only. The caller closes it. */
export function openState(source: Uint8Array | string): Database {
  try {
    if (typeof source !== 'string')
      return checkIntegrity(new Sqlite(Buffer.from(source), { readonly: true }));
    if (!existsSync(source)) throw new Failure('not_found', `there is no database at ${source}`);
    return checkIntegrity(new Sqlite(source, { readonly: true, fileMustExist: true }));
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw new Failure('data_corrupt', `this is no database that can be read: ${String(thrown)}`, {
      cause: thrown,
    });
  }
}

/** Damage is found here, where it is known whose database it is. */
function checkIntegrity(db: Database): Database {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found === 'ok') return db;
  db.close();
  throw new Error(String(found));
}

/** The tables of a database in name order, each with its columns and how many rows it holds. */
export const stateTables = (db: Database): StateTable[] =>
  db
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all()
    .map(({ name }) => ({
      name,
      columns: tableColumns(db, name).map((column) => column.name),
      keys: keysOf(db, name),
      rows: (db.prepare(`SELECT count(*) AS n FROM ${quotedName(name)}`).get() as { n: number }).n,
    }));

/** A page of a table's rows in key order. Throws `not_found` for a table that is not there. */
export function readTable(db: Database, table: string, offset: number, limit: number): TablePage {
  const found = stateTables(db).find(({ name }) => name === table);
  if (found === undefined) throw new Failure('not_found', `the database has no table ${table}`);
  const order = found.keys.length === 0 ? 'rowid' : found.keys.map(quotedName).join(', ');
  const rows = db
    .prepare<[number, number], unknown[]>(
      `SELECT * FROM ${quotedName(table)} ORDER BY ${order} LIMIT ? OFFSET ?`,
    )
    .raw()
    .all(limit, offset);
  return { ...found, page: rows.map((row) => row.map(cellValue)) };
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const tableColumns = (db: Database, table: string) =>
  db.pragma(`table_info(${quotedName(table)})`) as { name: string; pk: number }[];

/** Key columns in key order; every column where a table has no key. */
function keysOf(db: Database, table: string): string[] {
  const columns = tableColumns(db, table);
  const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return (keys.length === 0 ? columns : keys).map(({ name }) => name);
}

/** A value as the wire carries it: what JSON cannot hold becomes words. */
export function cellValue(value: unknown): CellValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (Buffer.isBuffer(value)) return `(${String(value.length)} bytes)`;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** Rows of one table that are listed; all are counted. */
const LISTED_MAX = 200;

type StateRow = Record<string, CellValue>;

/** Every table that differs, with its rows before and after. Tables that are alike are left out. */
function compareStates(before: Database, after: Database): TableChange[] {
  const [was, is] = [definitionsIn(before), definitionsIn(after)];
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].toSorted().flatMap((table) => {
    const isDefinedAlike = was.get(table) === is.get(table);
    if (isDefinedAlike && holdSameRows(before, after, table)) return [];
    const change = compareTable(
      was.has(table) ? rowsByKey(before, table) : new Map<string, StateRow>(),
      is.has(table) ? rowsByKey(after, table) : new Map<string, StateRow>(),
      table,
    );
    return change.added + change.removed + change.changed === 0 ? [] : [change];
  });
}

/** The statement that made each table, by the table's name. */
const definitionsIn = (db: Database): Map<string, string> =>
  new Map(
    db
      .prepare<[], [string, string]>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .raw()
      .all(),
  );

/** True if a table holds the same in both. Most calls touch few tables, and making rows of the rest is dear. */
function holdSameRows(before: Database, after: Database, table: string): boolean {
  const [was, is] = [before, after].map((db) =>
    db
      .prepare<[], unknown[]>(`SELECT * FROM ${quotedName(table)}`)
      .raw()
      .all(),
  ) as [unknown[][], unknown[][]];
  return (
    was.length === is.length &&
    was.every((row, at) => row.every((value, column) => isSameValue(value, is[at]?.[column])))
  );
}

const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other));

/** The same, between two databases as bytes. */
export function compareImages(before: Uint8Array, after: Uint8Array): TableChange[] {
  const was = openState(before);
  // A call that only reads leaves the very bytes.
  if (Buffer.compare(before, after) === 0) {
    was.close();
    return [];
  }
  const is = openState(after);
  try {
    return compareStates(was, is);
  } finally {
    was.close();
    is.close();
  }
}

function compareTable(was: Map<string, StateRow>, is: Map<string, StateRow>, table: string): TableChange {
  const change: TableChange = { table, added: 0, removed: 0, changed: 0, rows: [] };
  const list = (row: TableChange['rows'][number]): void => {
    if (change.rows.length < LISTED_MAX) change.rows.push(row);
  };
  for (const [key, row] of was) {
    const now = is.get(key);
    if (now === undefined) {
      change.removed += 1;
      list({ change: 'removed', before: row, after: null });
    } else if (JSON.stringify(now) !== JSON.stringify(row)) {
      change.changed += 1;
      list({ change: 'changed', before: row, after: now });
    }
  }
  for (const [key, row] of is) {
    if (was.has(key)) continue;
    change.added += 1;
    list({ change: 'added', before: null, after: row });
  }
  return change;
}

function rowsByKey(db: Database, table: string): Map<string, StateRow> {
  const keys = keysOf(db, table);
  const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${quotedName(table)}`).all();
  return new Map(
    rows.map((row) => {
      const shown = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellValue(value)]));
      return [JSON.stringify(keys.map((key) => shown[key])), shown];
    }),
  );
}
