// Shares of yes and no: the interval of one, the interval and the test of two that were taken from the same tasks. Pure.
import { binomialChance } from './distributions.ts';
import type { Interval } from './means.ts';

const Z95 = 1.959_963_984_540_054;

/** Wilson's score interval of a share at 95 % (Wilson 1927, JASA 22); null of nothing. */
export function wilson(successes: number, total: number): Interval | null {
  if (total === 0) return null;
  const [share, spread] = [successes / total, (Z95 * Z95) / total];
  const centre = (share + spread / 2) / (1 + spread);
  const half = (Z95 / (1 + spread)) * Math.sqrt((share * (1 - share)) / total + spread / (4 * total));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** Counts of the same tasks played twice. `onlyFirst`: they succeeded the first time and failed the second. */
export type PairedCounts = { both: number; onlyFirst: number; onlySecond: number; neither: number };

/**
 * The exact two-sided test of McNemar (1947, Psychometrika 12): of the tasks that came out differently, half should have
 * gone each way. 1 where none did.
 */
export function mcnemarExact({
  onlyFirst,
  onlySecond,
}: Pick<PairedCounts, 'onlyFirst' | 'onlySecond'>): number {
  const differing = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  let below = 0;
  for (let k = 0; k <= fewer; k += 1) below += binomialChance(k, differing, 0.5);
  return Math.min(1, 2 * below);
}

/**
 * The interval of the difference second minus first at 95 %: method 10 of Newcombe (1998, Statistics in Medicine 17,
 * 2635-2650), Wilson's intervals put together with the correlation of the pairs. Null of nothing.
 */
export function pairedDifference({
  both,
  onlyFirst,
  onlySecond,
  neither,
}: PairedCounts): (Interval & { estimate: number }) | null {
  const total = both + onlyFirst + onlySecond + neither;
  const [first, second] = [both + onlyFirst, both + onlySecond];
  const [ofFirst, ofSecond] = [wilson(first, total), wilson(second, total)];
  if (ofFirst === null || ofSecond === null) return null;
  const [p, q] = [second / total, first / total];
  const phi = correlation({ both, onlyFirst, onlySecond, neither });
  const [below, above] = [p - ofSecond.low, ofSecond.high - p];
  const [underFirst, overFirst] = [q - ofFirst.low, ofFirst.high - q];
  const join = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  return {
    estimate: p - q,
    low: Math.max(-1, p - q - join(below, overFirst)),
    high: Math.min(1, p - q + join(above, underFirst)),
  };
}

/**
 * The interval of the difference second minus first of two samples that have nothing to do with each other, at 95 %:
 * method 10 of Newcombe (1998, Statistics in Medicine 17, 873-890), Wilson's intervals put together. Null of nothing.
 */
export function independentDifference(
  first: { successes: number; total: number },
  second: { successes: number; total: number },
): (Interval & { estimate: number }) | null {
  const [ofFirst, ofSecond] = [wilson(first.successes, first.total), wilson(second.successes, second.total)];
  if (ofFirst === null || ofSecond === null) return null;
  const [q, p] = [first.successes / first.total, second.successes / second.total];
  return {
    estimate: p - q,
    low: p - q - Math.hypot(p - ofSecond.low, ofFirst.high - q),
    high: p - q + Math.hypot(ofSecond.high - p, q - ofFirst.low),
  };
}

/** The phi of the pairs, brought nearer to 0 where it is above (as Newcombe does); 0 where a margin is empty. */
function correlation({ both, onlyFirst, onlySecond, neither }: PairedCounts): number {
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  if (margins === 0) return 0;
  const cross = both * neither - onlyFirst * onlySecond;
  const total = both + onlyFirst + onlySecond + neither;
  return (cross > 0 ? Math.max(cross - total / 2, 0) : cross) / Math.sqrt(margins);
}
