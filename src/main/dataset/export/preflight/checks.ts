import type { ExportRules } from '../../../../shared/contract/export.ts';
import type { Format } from '../format.ts';
import { knowledgeChecks } from './knowledge.ts';
import { personalChecks } from './personal.ts';
import { secretChecks } from './secrets.ts';
import type { RowCheck, SeenRow } from './seenRow.ts';
import { trapChecks } from './traps.ts';

/** At most 32, a bit each. */
export const ROW_CHECKS: readonly RowCheck[] = [
  ...trapChecks,
  ...knowledgeChecks,
  ...secretChecks,
  ...personalChecks,
];

/** The checks that apply to an export, as one function from a row to the bits of what was found. */
export function createRowChecks(format: Format, rules: ExportRules): (seen: SeenRow) => number {
  const applied = ROW_CHECKS.map((check, bit) => ({ check, bit })).filter(
    ({ check: { applies } }) => applies?.(format, rules) ?? true,
  );
  return (seen) => {
    let found = 0;
    for (const { check, bit } of applied) if (check.finds(seen, rules, format)) found |= 1 << bit;
    return found >>> 0;
  };
}
