// Rows that judge one reply both ways: trained on both, a model learns nothing of it but noise.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { RowFacts } from './format.ts';
import type { RowIndex } from './rowIndex.ts';

/** What is remembered of every row that is not the same as one before. */
export type Identity = {
  /** The row that is kept of those that say the same. */
  row: number;
  isPerson: boolean;
  /** Of all rows that say the same; `lot` of the index. */
  lot: number;
  /** Whether somebody judged this very reply, in any row that says the same. */
  isDirect: boolean;
  /** The rows that judge the same reply the other way. */
  opposite: Identity | null;
};

/** Remembers what a row judges, and what was said to the contrary before. `known` finds an identity's rows. */
export function noteJudgement(
  said: Identity,
  judged: RowFacts['judged'],
  known: (identity: string) => Identity | undefined,
): void {
  if (judged === undefined) return;
  said.isDirect ||= judged.isDirect;
  const opposite = known(judged.opposite);
  if (opposite === undefined) return;
  said.opposite = opposite;
  opposite.opposite = said;
}

/**
 * The rows against which a judgement of as much weight stands, in order. Somebody's word about the very reply outweighs
 * how an episode ended; between two of a kind there is no telling.
 */
export function contradicted(index: RowIndex, identities: Iterable<Identity>): number[] {
  const lots = new Set<number>();
  for (const { lot, isDirect, opposite } of identities) {
    if (opposite !== null && (opposite.isDirect || !isDirect)) lots.add(lot);
  }
  return lots.size === 0 ? [] : [...index.kept()].filter((row) => lots.has(index.at(row).lot));
}

/** Leaves them out unless the rules take them. Says how many by rule. */
export function leaveContradictedOut(
  index: RowIndex,
  rows: readonly number[],
  rules: Pick<ExportRules, 'include'>,
): Record<string, number> {
  if (rules.include.includes('contrary') || rows.length === 0) return {};
  for (const row of rows) index.leaveOut(row, 'contradicted');
  return { contradicted: rows.length };
}
