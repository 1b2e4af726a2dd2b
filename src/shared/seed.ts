// The statements that make a world's first database, and those of them that did not run.
import { z } from 'zod';

/** A statement's place: its file, its table, its number within the table. */
const Place = { file: z.string(), table: z.string(), number: z.number().int() };

export type SeedStatement = { sql: string; file: string; table: string; number: number };

/** A statement that did not run as it stands. */
export const SeedProblem = z.strictObject({
  ...Place,
  /** Its first characters. */
  statement: z.string(),
  /** SQLite's words. */
  message: z.string(),
  /** It ran once its quotes were mended; the environment's server leaves its row out. */
  is_repaired: z.boolean(),
});
export type SeedProblem = z.infer<typeof SeedProblem>;

/** A problem in one line. */
export const seedProblemText = ({ file, table, number, message, is_repaired }: SeedProblem): string =>
  `${file}, ${table}, statement ${String(number)}: ${message}${is_repaired ? ' (repaired here; the server drops the row)' : ''}`;
