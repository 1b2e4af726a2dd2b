// Making a world's first database from the statements of a data set, and saying which of them it could not run. Must
// not know: which data set it is.
import Sqlite from 'better-sqlite3';
import { errorMessage } from '../../shared/failure.ts';
import type { SeedProblem, SeedStatement } from '../../shared/seed.ts';

export type SeededDatabase = {
  image: Uint8Array;
  /** Statements that did not run as they stand, in order. */
  problems: SeedProblem[];
};

const STATEMENT_CHARS_MAX = 120;

/** Runs every statement in order; one that fails is reported and the others still run. */
export function seedDatabase(statements: readonly SeedStatement[]): SeededDatabase {
  const db = new Sqlite(':memory:');
  const problems: SeedProblem[] = [];
  // Prepared, not executed as a script: the environment's server runs one statement at a time too.
  const run = (sql: string): string | null => {
    try {
      db.prepare(sql).run();
      return null;
    } catch (thrown) {
      return errorMessage(thrown);
    }
  };
  try {
    // Rows stand in no order that foreign keys would ask for.
    db.pragma('foreign_keys = OFF');
    for (const { sql, ...place } of statements) {
      const message = run(sql);
      if (message === null) continue;
      const mended = mendQuotes(sql);
      const isRepaired = mended !== sql && run(mended) === null;
      problems.push({
        ...place,
        statement: sql.slice(0, STATEMENT_CHARS_MAX),
        message,
        is_repaired: isRepaired,
      });
    }
    return { image: db.serialize(), problems };
  } finally {
    db.close();
  }
}

/** The data set escapes quotes with a backslash, which SQLite does not know: whole rows are dropped for it. */
const mendQuotes = (sql: string): string => sql.replaceAll("\\'", "''");
