// What differs between the initial and the final database of a session: rows added, removed, updated. Must not know:
// which of it was asked for.
import type { Database } from 'better-sqlite3';

export type DatabaseRow = Record<string, unknown>;
export type RowDifference =
  | { change: 'added'; table: string; row: DatabaseRow }
  | { change: 'removed'; table: string; row: DatabaseRow }
  | { change: 'updated'; table: string; row: DatabaseRow; to: DatabaseRow };

/** Every difference, table by table. In an update `row` is the row before, `to` only what is new in it. */
export function differencesBetween(
  initial: Database,
  final: Database,
  ignored: ReadonlySet<string>,
): RowDifference[] {
  return tableNames(initial).flatMap((table) => {
    const before = rowsByRowKey(initial, table);
    const after = rowsByRowKey(final, table);
    const found: RowDifference[] = [];
    for (const [key, row] of before) {
      const now = after.get(key);
      if (now === undefined) found.push({ change: 'removed', table, row });
      else {
        const to = changedColumns(row, now, ignored);
        if (Object.keys(to).length > 0) found.push({ change: 'updated', table, row, to });
      }
    }
    for (const [key, row] of after) {
      if (!before.has(key)) found.push({ change: 'added', table, row });
    }
    return found;
  });
}

/** The tables of a world, in name order. */
export const tableNames = (db: Database): string[] =>
  db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();

function rowsByRowKey(db: Database, table: string): Map<string, DatabaseRow> {
  const name = `"${table.replaceAll('"', '""')}"`;
  const columns = db.pragma(`table_info(${name})`) as { name: string; pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
  const rows = db.prepare<[], DatabaseRow>(`SELECT * FROM ${name}`).all();
  return new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key])), row]));
}

function changedColumns(before: DatabaseRow, after: DatabaseRow, ignored: ReadonlySet<string>): DatabaseRow {
  const changed = Object.entries(after).filter(
    ([column, value]) => !ignored.has(column) && before[column] !== value,
  );
  return Object.fromEntries(changed);
}
