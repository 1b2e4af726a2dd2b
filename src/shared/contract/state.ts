// How the state of a world is shown: tables, pages, what changed.
import { z } from 'zod';

const StateCell = z.union([z.string(), z.number(), z.null()]);

export const StateTable = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  keys: z.array(z.string()),
  rows: z.number().int(),
});
export type StateTable = z.infer<typeof StateTable>;

export const TablePage = z.strictObject({ ...StateTable.shape, page: z.array(z.array(StateCell)) });
export type TablePage = z.infer<typeof TablePage>;

/** Rows of one table that differ between two states. All are counted, the first ones listed. */
export const TableChange = z.strictObject({
  table: z.string(),
  added: z.number().int(),
  removed: z.number().int(),
  changed: z.number().int(),
  rows: z.array(
    z.strictObject({
      change: z.enum(['added', 'removed', 'changed']),
      before: z.record(z.string(), StateCell).nullable(),
      after: z.record(z.string(), StateCell).nullable(),
    }),
  ),
});
export type TableChange = z.infer<typeof TableChange>;
