// Leaves rows out that no single row decides: caps per task, classes of one size. A hash of the row draws them, so
// the same rows are kept in whatever order they came.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { RowIndex } from './rowIndex.ts';

/** Marks the rows that go, and says how many by rule. `labels` tells which label stands for none. */
export function pruneRows(
  index: RowIndex,
  rules: Pick<ExportRules, 'cap_per_task' | 'balance'>,
  noLabel: number,
): Record<string, number> {
  const dropped: Record<string, number> = {};
  const cap = rules.cap_per_task;
  if (cap !== null) {
    const byTask = grouped(index, (row) => index.at(row).task);
    for (const rows of byTask.values()) leaveOut(index, rows, cap, 'cap_per_task', dropped);
  }
  if (!rules.balance) return dropped;
  for (const isValidation of [false, true]) {
    const byLabel = grouped(index, (row) => {
      const at = index.at(row);
      return at.isValidation === isValidation && at.label !== noLabel ? at.label : null;
    });
    const least = Math.min(...[...byLabel.values()].map((rows) => rows.length));
    for (const rows of byLabel.values()) leaveOut(index, rows, least, 'balance', dropped);
  }
  return dropped;
}

function grouped(index: RowIndex, keyOf: (row: number) => number | null): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of index.kept()) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

function leaveOut(
  index: RowIndex,
  rows: readonly number[],
  most: number,
  fate: 'cap_per_task' | 'balance',
  dropped: Record<string, number>,
): void {
  if (rows.length <= most) return;
  const drawn = rows.toSorted((a, b) => index.at(a).lot - index.at(b).lot || a - b);
  for (const row of drawn.slice(most)) index.leaveOut(row, fate);
  dropped[fate] = (dropped[fate] ?? 0) + rows.length - most;
}
