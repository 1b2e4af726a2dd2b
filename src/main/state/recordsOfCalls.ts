// For the ids in planned calls, the records they point at as a world's database holds them: for names that neither the
// episode's results nor its tools give. Must not know: which world it is.
import type { Database } from 'better-sqlite3';
import { kindOfId, singularWords, withoutRole, wordsOf } from '../../shared/sentences/words.ts';
import { cellValue, openState, quotedName } from './database.ts';

/** A record as JSON, under what its argument calls it. */
export type StateRecord = { kind: string; text: string };
type PlannedCall = { arguments: Readonly<Record<string, unknown>> };

const RECORDS_MAX = 50;

/** Each record once; none for an id whose table is not certain. */
export function recordsOfCalls(image: Uint8Array, calls: readonly PlannedCall[]): StateRecord[] {
  const pointers = calls.flatMap(({ arguments: args }) => Object.entries(args)).flatMap(pointersOf);
  if (pointers.length === 0) return [];
  const db = openState(image);
  try {
    const rowOf = createRowOf(db);
    const found = pointers.flatMap(({ kind, id }) => {
      const row = rowOf(kind, id);
      const name = kind.join('_');
      return row === null ? [] : [{ kind: name, text: JSON.stringify({ [name]: row }) }];
    });
    return [...new Map(found.map((one) => [one.text, one])).values()].slice(0, RECORDS_MAX);
  } finally {
    db.close();
  }
}

type Pointer = { kind: string[]; id: string | number };

/** `from_user_ids` of two: a user for each, without the word that says which. */
function pointersOf([argument, value]: [string, unknown]): Pointer[] {
  const kind = singularWords(withoutRole(kindOfId(argument) ?? []));
  if (kind.length === 0) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((id: unknown) =>
    typeof id === 'string' || typeof id === 'number' ? [{ kind, id }] : [],
  );
}

type TableKey = { table: string; key: string };

/** Reads a record by its id, with that id first: what reads names takes the first as the record's own. */
function createRowOf(db: Database): (kind: readonly string[], id: string | number) => object | null {
  const tables = keyedTables(db);
  const pointed = pointedTables(db);
  return (kind, id) => {
    const byName = tables.filter(({ table }) => singularWords(wordsOf(table)).join(' ') === kind.join(' '));
    const targets = pointed.get(kind.join(' ')) ?? new Set(byName.map(({ table }) => table));
    const [target] = tables.filter(({ table }) => targets.has(table));
    if (target === undefined || targets.size !== 1) return null;
    const { table, key } = target;
    const row = db
      .prepare<[string | number], Record<string, unknown>>(
        `SELECT * FROM ${quotedName(table)} WHERE ${quotedName(key)} = ?`,
      )
      .get(id);
    if (row === undefined) return null;
    const others = Object.entries(row).filter(([column]) => column !== key);
    return Object.fromEntries([['id', id], ...others.map(([column, value]) => [column, cellValue(value)])]);
  };
}

/** Tables whose rows are told apart by one column. */
const keyedTables = (db: Database): TableKey[] =>
  tableNames(db).flatMap((table) => {
    const columns = db.pragma(`table_info(${quotedName(table)})`) as { name: string; pk: number }[];
    const [key, ...others] = columns.filter(({ pk }) => pk > 0);
    return key === undefined || others.length > 0 ? [] : [{ table, key: key.name }];
  });

/** The tables that columns such as `owner_id` point at, by `owner`. */
function pointedTables(db: Database): Map<string, Set<string>> {
  const pointed = new Map<string, Set<string>>();
  for (const table of tableNames(db))
    for (const { from, table: to } of db.pragma(`foreign_key_list(${quotedName(table)})`) as {
      from: string;
      table: string;
    }[]) {
      const kind = singularWords(withoutRole(kindOfId(from) ?? [])).join(' ');
      if (kind !== '') pointed.set(kind, (pointed.get(kind) ?? new Set()).add(to));
    }
  return pointed;
}

const tableNames = (db: Database): string[] =>
  db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
