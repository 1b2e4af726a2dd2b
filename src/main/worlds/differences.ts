// Owns: what differs between the initial and the final database of a session: rows added, removed, updated.
// Must not know: which of it was asked for.
import type { Database } from 'better-sqlite3';

export type Row = Record<string, unknown>;
export type Difference =
  | { change: 'added'; table: string; row: Row }
  | { change: 'removed'; table: string; row: Row }
  | { change: 'updated'; table: string; row: Row; to: Row };

/** Every difference, table by table. In an update `row` is the row before, `to` only what is new in it. */
export function differencesBetween(
  initial: Database,
  final: Database,
  ignored: ReadonlySet<string>,
): Difference[] {
  return tablesOf(initial).flatMap((table) => {
    const before = rowsOf(initial, table);
    const after = rowsOf(final, table);
    const found: Difference[] = [];
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
export const tablesOf = (db: Database): string[] =>
  db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();

function rowsOf(db: Database, table: string): Map<string, Row> {
  const name = `"${table.replaceAll('"', '""')}"`;
  const columns = db.pragma(`table_info(${name})`) as { name: string; pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
  const rows = db.prepare<[], Row>(`SELECT * FROM ${name}`).all();
  return new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key])), row]));
}

function changedColumns(before: Row, after: Row, ignored: ReadonlySet<string>): Row {
  const changed = Object.entries(after).filter(
    ([column, value]) => !ignored.has(column) && before[column] !== value,
  );
  return Object.fromEntries(changed);
}
