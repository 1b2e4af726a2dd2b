// What changed between two states of the same database: rows added, removed, changed, table by table.
import type { Database } from 'better-sqlite3';
import type { TableChange } from '../../shared/contract/state.ts';
import { cellValue, keysOf, openState, quotedName, type CellValue } from './database.ts';

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

/** Whether every value of a table is the same in both. Most calls touch few tables, and making rows of the rest is dear. */
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
