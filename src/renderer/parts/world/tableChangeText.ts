// What changed in a world, in words. Pure.
import type { TableChange } from '../../../shared/contract/state.ts';

export type ChangedCell = string | number | null;
type ChangedRow = TableChange['rows'][number];

/** How many rows changed in all. */
export const changedRows = (changes: readonly TableChange[]): number =>
  changes.reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);

/** `1 row`, `3 rows`. */
export const rowsText = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`;

/** `2 added, 1 changed`. */
export const tableChangeText = ({ added, removed, changed }: TableChange): string =>
  (
    [
      [added, 'added'],
      [changed, 'changed'],
      [removed, 'removed'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString()} ${word}`)
    .join(', ');

/** What names a row: its key columns, else the first. */
export function rowName({ before, after }: ChangedRow, keys: readonly string[] = []): string {
  const row = after ?? before ?? {};
  const named = keys.filter((key) => Object.hasOwn(row, key));
  const names = named.length > 0 ? named : Object.keys(row).slice(0, 1);
  return names.map((name) => `${name} ${cellText(row[name] ?? null)}`).join(', ');
}

/** The fields that differ; of a row that came or went, all of them. */
export function changedFields({
  before,
  after,
}: ChangedRow): { name: string; was: ChangedCell | null; is: ChangedCell | null }[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, was: before?.[name] ?? null, is: after?.[name] ?? null }))
    .filter(({ was, is }) => before === null || after === null || was !== is);
}

/** A value as it stands in a table; nothing is told from the empty text. */
export const cellText = (cell: ChangedCell): string => (cell === null ? 'NULL' : String(cell));
