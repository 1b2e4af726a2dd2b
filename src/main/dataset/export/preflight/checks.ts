import type { ExportRules } from '../../../../shared/contract/export.ts';
import type { Format } from '../format.ts';
import { knowledgeChecks } from './knowledge.ts';
import { personalChecks } from './personal.ts';
import { secretChecks } from './secrets.ts';
import { plainText, type RowCheck, type SeenRow } from './seenRow.ts';
import { trapChecks } from './traps.ts';
import { piecesOf } from '../../../../shared/truncate.ts';
import type { YieldToOthers } from '../pace.ts';

/** Those that search a row's line and text for shapes, wherever they stand. */
const TEXT_CHECKS: readonly RowCheck[] = [...secretChecks, ...personalChecks];
const WHOLE_CHECKS: readonly RowCheck[] = [...trapChecks, ...knowledgeChecks];
/** At most 32, a bit each. */
export const ROW_CHECKS: readonly RowCheck[] = [...WHOLE_CHECKS, ...TEXT_CHECKS];

/** Longer than any shape that is searched for. */
const OVERLAP = 16 * 1024;

/**
 * The checks that apply to an export, as one function from a row to the bits of what was found. A long row is searched
 * piece by piece, between which others have their turn.
 */
export function createRowChecks(
  format: Format,
  rules: ExportRules,
  pace: YieldToOthers,
): (seen: SeenRow) => Promise<number> {
  const applied = ROW_CHECKS.map((check, bit) => ({ check, bit })).filter(
    ({ check: { applies } }) => applies?.(format, rules) ?? true,
  );
  const finder = (checks: readonly RowCheck[]): ((seen: SeenRow) => number) => {
    const chosen = applied.filter(({ check }) => checks.includes(check));
    return (seen) =>
      chosen.reduce((found, { check, bit }) => found | (check.finds(seen, rules, format) ? 1 << bit : 0), 0);
  };
  const findInRow = finder(WHOLE_CHECKS);
  const findInText = finder(TEXT_CHECKS);
  return async (seen) => {
    let found = findInRow(seen);
    for (const line of piecesOf(seen.line, OVERLAP)) {
      await pace();
      found |= findInText(line.length === seen.line.length ? seen : { ...seen, line, text: plainText(line) });
    }
    return found >>> 0;
  };
}
