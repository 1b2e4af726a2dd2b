// How far two sets of numbers put the same things in the same order: pairs counted in n log n. Pure.
import type { PairCounts } from '../../shared/contract/rewards.ts';

/** Every pair of `before` and `after`, by Knight's way of counting (Knight 1966, JASA 61). */
export function countPairs(before: readonly number[], after: readonly number[]): PairCounts {
  const both = before.map((x, index) => [x, after[index] ?? 0] as const);
  const sorted = both.toSorted(([x, y], [x2, y2]) => x - x2 || y - y2).map(([, y]) => y);
  const [pairs, flipped] = [choose2(both.length), sortCounting(sorted).swaps];
  const [tiedBefore, tiedAfter] = [tiedPairs(before), tiedPairs(after)];
  const tiedBoth = tiedPairs(both.map(([x, y]) => `${String(x)} ${String(y)}`));
  const kept = pairs - tiedBefore - tiedAfter + tiedBoth - flipped;
  return withTau({ pairs, kept, flipped, tied: tiedAfter - tiedBoth, untied: tiedBefore - tiedBoth });
}

/** Pairs within each of several lists, added up; tau is of all of them. */
export const poolPairs = (lists: readonly PairCounts[]): PairCounts =>
  withTau(
    lists.reduce(
      (sum, one) => ({
        pairs: sum.pairs + one.pairs,
        kept: sum.kept + one.kept,
        flipped: sum.flipped + one.flipped,
        tied: sum.tied + one.tied,
        untied: sum.untied + one.untied,
      }),
      { pairs: 0, kept: 0, flipped: 0, tied: 0, untied: 0 },
    ),
  );

/** Kendall's tau-b (Kendall 1945, Biometrika 33): null where a side tells none apart. */
function withTau(counts: Omit<PairCounts, 'tau'>): PairCounts {
  const { kept, flipped, tied, untied } = counts;
  const scale = Math.sqrt(kept + flipped + tied) * Math.sqrt(kept + flipped + untied);
  return { ...counts, tau: scale === 0 ? null : Math.max(-1, Math.min(1, (kept - flipped) / scale)) };
}

const choose2 = (count: number): number => (count < 2 ? 0 : (count * (count - 1)) / 2);

const tiedPairs = (values: readonly (number | string)[]): number => {
  const counts = new Map<number | string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + choose2(count), 0);
};

/** Sorts by merging, and counts the swaps that bubble sort would make. */
function sortCounting(values: readonly number[]): { sorted: readonly number[]; swaps: number } {
  if (values.length < 2) return { sorted: values, swaps: 0 };
  const middle = values.length >> 1;
  const [left, right] = [sortCounting(values.slice(0, middle)), sortCounting(values.slice(middle))];
  const sorted: number[] = [];
  let swaps = left.swaps + right.swaps;
  let taken = 0;
  for (const value of right.sorted) {
    const from = taken;
    while (taken < left.sorted.length && (left.sorted[taken] ?? 0) <= value) taken += 1;
    sorted.push(...left.sorted.slice(from, taken), value);
    swaps += left.sorted.length - taken;
  }
  return { sorted: [...sorted, ...left.sorted.slice(taken)], swaps };
}
