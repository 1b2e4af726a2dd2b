// Looking into any world's database, read-only: its tables, a page of rows. Bytes or a file; nothing is written. Must
// not know: which world it is.
import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import type { StateTable, TablePage } from '../../shared/contract/state.ts';
import { Failure } from '../../shared/failure.ts';

export type CellValue = string | number | null;

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
export function keysOf(db: Database, table: string): string[] {
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
