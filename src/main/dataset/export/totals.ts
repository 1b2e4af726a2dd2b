import type { ExportReport } from '../../../shared/contract/export.ts';
import { splitName, type Split } from './dataFiles.ts';
import type { RowIndex } from './rowIndex.ts';

export type Totals = {
  rows: number;
  train: number;
  validation: number;
  /** Rows whose author had seen something of the answer, or nobody knows. */
  privileged: number;
  /** Episodes that gave rows. */
  episodes: number;
  bytes: number;
  classes: Record<string, number>;
  /** The same on each side of the split. */
  sides: Record<Split, Record<string, number>>;
  tokens: ExportReport['tokens'];
  duplicates: number;
};

export function totalsOf({
  index,
  labels,
  duplicates,
}: {
  index: RowIndex;
  labels: readonly string[];
  duplicates: number;
}): Totals {
  const sides: Totals['sides'] = { train: {}, validation: {} };
  const tokens: number[] = [];
  let [validation, privileged] = [0, 0];
  let bytes = 0;
  let episodes = 0;
  let last = -1;
  for (const row of index.kept()) {
    const at = index.at(row);
    tokens.push(at.tokens);
    bytes += at.bytes;
    if (at.isValidation) validation += 1;
    if (at.isPrivileged) privileged += 1;
    if (at.episode !== last) episodes += 1;
    last = at.episode;
    const label = labels[at.label] ?? '';
    if (label === '') continue;
    const side = sides[splitName(at.isValidation)];
    side[label] = (side[label] ?? 0) + 1;
  }
  const classes: Record<string, number> = { ...sides.train };
  for (const [label, count] of Object.entries(sides.validation))
    classes[label] = (classes[label] ?? 0) + count;
  tokens.sort((a, b) => a - b);
  const quantile = (share: number): number => tokens[Math.ceil((tokens.length - 1) * share)] ?? 0;
  return {
    rows: tokens.length,
    train: tokens.length - validation,
    validation,
    privileged,
    episodes,
    bytes,
    classes: sortedCounts(classes),
    sides: { train: sortedCounts(sides.train), validation: sortedCounts(sides.validation) },
    tokens: {
      total: tokens.reduce((sum, one) => sum + one, 0),
      median: quantile(0.5),
      p95: quantile(0.95),
      max: tokens.at(-1) ?? 0,
    },
    duplicates,
  };
}

/** The same counts in the order of their names, whatever came first. */
export const sortedCounts = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
