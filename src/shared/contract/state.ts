// The state of a world as it is shown: tables, pages, changes.
import { z } from 'zod';
import { StateCell } from '../events/world.ts';

export const StateTable = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  keys: z.array(z.string()),
  rows: z.number().int(),
});
export type StateTable = z.infer<typeof StateTable>;

export const TablePage = z.strictObject({ ...StateTable.shape, page: z.array(z.array(StateCell)) });
export type TablePage = z.infer<typeof TablePage>;
