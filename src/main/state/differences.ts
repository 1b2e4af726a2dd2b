// What changed between two states of the same database: rows added, removed, changed, table by table.
import type { Database } from 'better-sqlite3';
import type { TableChange } from '../../shared/contract/state.ts';
import { cellValue, keysOf, openState, quotedName, stateTables, type CellValue } from './database.ts';

/** Rows of one table that are listed; all are counted. */
const LISTED_MAX = 200;

type StateRow = Record<string, CellValue>;

/** Every table that differs, with its rows before and after. Tables that are alike are left out. */
function compareStates(before: Database, after: Database): TableChange[] {
  const names = new Set([...stateTables(before), ...stateTables(after)].map(({ name }) => name));
  return [...names].toSorted().flatMap((table) => {
    const change = compareTable(rowsByKey(before, table), rowsByKey(after, table), table);
    return change.added + change.removed + change.changed === 0 ? [] : [change];
  });
}

/** The same, between two databases as bytes. */
export function compareImages(before: Uint8Array, after: Uint8Array): TableChange[] {
  const was = openState(before);
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
  if (!stateTables(db).some(({ name }) => name === table)) return new Map();
  const keys = keysOf(db, table);
  const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${quotedName(table)}`).all();
  return new Map(
    rows.map((row) => {
      const shown = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellValue(value)]));
      return [JSON.stringify(keys.map((key) => shown[key])), shown];
    }),
  );
}
