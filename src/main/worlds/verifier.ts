// The verdict on a task: every expected change is there, nothing else changed, the final answer says enough. Must not
// know: how the changes came about. Reads the two databases, writes neither.
import type { Database } from 'better-sqlite3';
import { canonical } from '../../shared/canonical.ts';
import type { ExpectedAnswer, ExpectedChange, PackTask } from './packFiles.ts';

export type WorldVerdict = 'complete' | 'others';

/** Compares the databases with what the task expects. `final_answer` counts only when it is a text. */
export function verdictOn(
  task: PackTask,
  initial: Database,
  final: Database,
  final_answer: unknown,
  stamped: ReadonlySet<string>,
): WorldVerdict {
  const differences = differencesBetween(initial, final, stamped);
  const isAsExpected = differences.length === task.changes.length && pairsUp(task.changes, differences);
  const isAnswered = task.answer === null || isSaid(task.answer, final_answer);
  return isAsExpected && isAnswered ? 'complete' : 'others';
}

/** Each difference may stand for one expectation only. */
function pairsUp(expected: readonly ExpectedChange[], found: readonly RowDifference[]): boolean {
  const left = [...found];
  return expected.every((change) => {
    const at = left.findIndex((difference) => isMet(change, difference));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

function isMet(expected: ExpectedChange, found: RowDifference): boolean {
  if (expected.change !== found.change || expected.table !== found.table) return false;
  if (!rowHolds(expected.row, found.row)) return false;
  if (expected.change !== 'updated' || found.change !== 'updated') return true;
  return Object.keys(found.to).length === Object.keys(expected.to).length && rowHolds(expected.to, found.to);
}

/** Columns that are not named are free: an id the world gave, a description in one's own words. */
const rowHolds = (wanted: DatabaseRow, row: DatabaseRow): boolean =>
  Object.entries(wanted).every(([column, value]) => valuesEqual(column, value, row[column]));

function valuesEqual(column: string, wanted: unknown, stored: unknown): boolean {
  if (!column.endsWith('_json') || typeof stored !== 'string') return wanted === stored;
  return canonical(wanted) === canonical(JSON.parse(stored));
}

function isSaid({ says, never_says }: ExpectedAnswer, answer: unknown): boolean {
  if (typeof answer !== 'string') return false;
  const said = plainAnswer(answer);
  const isIn = (words: string): boolean => occurs(plainAnswer(words), said);
  return (
    says.every((item) => (typeof item === 'string' ? isIn(item) : item.some(isIn))) && !never_says.some(isIn)
  );
}

const plainAnswer = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** As whole words: "12" is not said by "2012". */
function occurs(words: string, said: string): boolean {
  for (let at = said.indexOf(words); at !== -1; at = said.indexOf(words, at + 1)) {
    const before = said[at - 1] ?? ' ';
    const after = said[at + words.length] ?? ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

// Differences between a session's initial and final database: rows added, removed, updated. Must not know: which of it
// was asked for.
type DatabaseRow = Record<string, unknown>;
type RowDifference =
  | { change: 'added'; table: string; row: DatabaseRow }
  | { change: 'removed'; table: string; row: DatabaseRow }
  | { change: 'updated'; table: string; row: DatabaseRow; to: DatabaseRow };

/** Every difference, table by table. In an update `row` is the row before, `to` only what is new in it. */
function differencesBetween(
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
