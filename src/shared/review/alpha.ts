// Krippendorff's alpha for nominal, ordinal and interval data with missing values. Pure. The coincidence-matrix form
// of Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
import { z } from 'zod';

export const Metric = z.enum(['nominal', 'ordinal', 'interval']);
export type Metric = z.infer<typeof Metric>;

export type Alpha = {
  /** 1 is perfect, 0 is chance; null where there is nothing to compare, or only one value in all. */
  alpha: number | null;
  /** Units that at least two reviewers judged, and the values in them. */
  units: number;
  values: number;
};

/**
 * `units` holds, per unit, the values its reviewers gave; who did not judge a unit is simply not in it. For nominal
 * data the numbers are names.
 */
export function krippendorffAlpha(units: readonly (readonly number[])[], metric: Metric): Alpha {
  const pairable = units.filter((unit) => unit.length >= 2);
  const domain = [...new Set(pairable.flat())].toSorted((a, b) => a - b);
  const place = new Map(domain.map((value, index) => [value, index]));
  const matrix = domain.map(() => domain.map(() => 0));
  for (const unit of pairable)
    countPairs(
      matrix,
      unit.map((value) => place.get(value) ?? 0),
    );
  const totals = matrix.map((row) => row.reduce((sum, cell) => sum + cell, 0));
  const values = pairable.reduce((sum, unit) => sum + unit.length, 0);
  const distance = distanceOf(metric, domain, totals);
  let observed = 0;
  let expected = 0;
  for (const [c, row] of matrix.entries()) {
    for (const [k, cell] of row.entries()) {
      const delta = distance(c, k);
      observed += cell * delta;
      expected += (totals[c] ?? 0) * (totals[k] ?? 0) * delta;
    }
  }
  const alpha = expected === 0 ? null : 1 - ((values - 1) * observed) / expected;
  return { alpha, units: pairable.length, values };
}

/** Adds a unit's ordered pairs, each weighed so that a unit of m values adds m in all. */
function countPairs(matrix: number[][], unit: readonly number[]): void {
  const weight = 1 / (unit.length - 1);
  for (const [i, c] of unit.entries()) {
    const row = matrix[c];
    if (row === undefined) continue;
    for (const [j, k] of unit.entries()) if (i !== j) row[k] = (row[k] ?? 0) + weight;
  }
}

function distanceOf(
  metric: Metric,
  domain: readonly number[],
  totals: readonly number[],
): (c: number, k: number) => number {
  if (metric === 'nominal') return (c, k) => (c === k ? 0 : 1);
  if (metric === 'interval') return (c, k) => ((domain[c] ?? 0) - (domain[k] ?? 0)) ** 2;
  const until = [0];
  for (const total of totals) until.push((until.at(-1) ?? 0) + total);
  return (c, k) => {
    const [low, high] = c < k ? [c, k] : [k, c];
    const between = (until[high + 1] ?? 0) - (until[low] ?? 0);
    return (between - ((totals[low] ?? 0) + (totals[high] ?? 0)) / 2) ** 2;
  };
}
