// Checks each split on its own: what holds for all rows together may hold for neither file.
import type { ExportRules, Finding } from '../../../../shared/contract/export.ts';
import { SPLITS, type Split } from '../dataFiles.ts';
import type { Format } from '../format.ts';
import type { CollectedRows } from '../collectedRows.ts';

type SplitRequest = { format: Pick<Format, 'id'>; rules: Pick<ExportRules, 'validation'> };
type SplitTotals = Pick<CollectedRows, 'totals' | 'labels'>;

const formatNumber = (count: number): string => count.toLocaleString('en');
const error = (check: string, message: string, count: number): Finding[] => [
  { check, level: 'error', message, count, at: [] },
];

/** Sides that lack a class that is needed there. */
export function classSides({ totals, labels }: SplitTotals, { format, rules }: SplitRequest): Finding[] {
  const all = labels.filter((label) => label !== '');
  if (all.length === 0 || format.id !== 'kto') return [];
  const poor = SPLITS.filter((split) => {
    const there = Object.keys(totals.sides[split]).length;
    return totals[split] > 0 && there < Math.max(2, all.length);
  });
  if (poor.length === 0) return [];
  const input = poor.map((split) => lacks(Object.entries(totals.sides[split]), all, placed(split, rules)));
  const message = `${input.join('; ')}: KTO weighs one against the other and needs both.`;
  return error(
    'single_class',
    message.charAt(0).toUpperCase() + message.slice(1),
    poor.reduce((sum, split) => sum + totals[split], 0),
  );
}

/** "in validation", where there is a split. */
const placed = (split: Split, { validation }: SplitRequest['rules']): string =>
  validation === null ? '' : `in ${split} `;

function lacks(
  counts: readonly (readonly [string, number])[],
  all: readonly string[],
  where: string,
): string {
  const words = counts.map(([label, count]) => `${label} ${formatNumber(count)}`).join(', ');
  if (counts.length === 1) return `${where}only one class is there (${words})`;
  if (counts.length === 0) return `${where}no class is there`;
  const missing = all.filter((label) => !counts.some(([there]) => there === label)).toSorted();
  return `${where}no row is of the class ${missing.join(', ')} (${words})`;
}
