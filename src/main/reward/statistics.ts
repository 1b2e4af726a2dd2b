// The correlations the lab needs. Null where a number is not defined, never 0 or NaN. Pure.

import { meanOf } from '../../shared/statistics/means.ts';

const fromMean = (values: readonly number[]): number[] => {
  const mean = meanOf(values);
  return values.map((value) => value - mean);
};
const dot = (x: readonly number[], y: readonly number[]): number =>
  x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);

/**
 * Pearson's product-moment correlation; null where either side does not vary. With 0 and 1 on one side it is the
 * point-biserial one (Tate 1954, Annals of Mathematical Statistics 25).
 */
export function pearson(x: readonly number[], y: readonly number[]): number | null {
  if (!varies(x) || !varies(y)) return null;
  const [dx, dy] = [fromMean(x), fromMean(y)];
  return Math.max(-1, Math.min(1, dot(dx, dy) / Math.sqrt(dot(dx, dx) * dot(dy, dy))));
}

/** Asked of the values themselves: a sum of squares of equal numbers may miss 0 by rounding. */
const varies = (values: readonly number[]): boolean => values.some((value) => value !== values[0]);

/** Pearson's correlation of the ranks, ties given the mean of theirs (Spearman 1904; Kendall 1945 on ties). */
export const spearman = (x: readonly number[], y: readonly number[]): number | null =>
  pearson(ranksOf(x), ranksOf(y));

/** Ranks from 1; equal values share the mean of theirs. */
export function ranksOf(values: readonly number[]): number[] {
  const ranks = new Map<number, number>();
  let before = 0;
  for (const [value, ties] of Map.groupBy(
    values.toSorted((a, b) => a - b),
    (one) => one,
  )) {
    ranks.set(value, before + (ties.length + 1) / 2);
    before += ties.length;
  }
  return values.map((value) => ranks.get(value) ?? 0);
}
