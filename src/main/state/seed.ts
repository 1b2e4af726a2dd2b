// Making a world's first database from the statements of a data set, and saying which of them it could not run. Must
// not know: where the statements come from.
import Sqlite from 'better-sqlite3';
import { errorMessage } from '../../shared/failure.ts';

type SeedStatements = { schema: readonly string[]; inserts: readonly string[] };
export type SeededDatabase = {
  image: Uint8Array;
  /** Statements that ran only after their quotes were mended. */
  repaired: number;
  /** Statements that did not run, with SQLite's words; the first characters of each. */
  failed: { statement: string; message: string }[];
};

const STATEMENT_CHARS_MAX = 120;

/** Runs every statement in order; one that fails is reported and the others still run. */
export function seedDatabase({ schema, inserts }: SeedStatements): SeededDatabase {
  const db = new Sqlite(':memory:');
  const failed: SeededDatabase['failed'] = [];
  let repaired = 0;
  const run = (sql: string): string | null => {
    try {
      db.exec(sql);
      return null;
    } catch (thrown) {
      return errorMessage(thrown);
    }
  };
  try {
    // Rows stand in no order that foreign keys would ask for.
    db.pragma('foreign_keys = OFF');
    for (const sql of [...schema, ...inserts]) {
      const message = run(sql);
      if (message === null) continue;
      const mended = mendQuotes(sql);
      if (mended !== sql && run(mended) === null) repaired += 1;
      else failed.push({ statement: sql.slice(0, STATEMENT_CHARS_MAX), message });
    }
    return { image: db.serialize(), repaired, failed };
  } finally {
    db.close();
  }
}

/** The data set escapes quotes with a backslash, which SQLite does not know: whole rows were dropped for it. */
const mendQuotes = (sql: string): string => sql.replaceAll("\\'", "''");
