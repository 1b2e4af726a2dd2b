// How far two sets of numbers put the same things in the same order: pairs counted in n log n. Pure.
import type { PairCounts } from '../../shared/contract/rewards.ts';

/** Pairs by what becomes of them; `tiedBoth` are told apart by neither. */
export type PairTally = {
  pairs: number;
  discordant: number;
  tiedBefore: number;
  tiedAfter: number;
  tiedBoth: number;
};

export const NO_PAIRS: PairTally = { pairs: 0, discordant: 0, tiedBefore: 0, tiedAfter: 0, tiedBoth: 0 };

/** Every pair of `before` and `after`, by Knight's way of counting (Knight 1966, JASA 61). */
export function countPairs(before: ArrayLike<number>, after: ArrayLike<number>): PairTally {
  const size = before.length;
  const order = Uint32Array.from({ length: size }, (_, index) => index);
  const x = (index: number): number => before[index] ?? 0;
  const y = (index: number): number => after[index] ?? 0;
  order.sort((a, b) => x(a) - x(b) || y(a) - y(b));
  const sorted = Float64Array.from(order, y);
  let [tiedBefore, tiedBoth] = [0, 0];
  let [runX, runXY] = [1, 1];
  for (let place = 1; place <= size; place += 1) {
    const [one, next] = [order[place - 1] ?? 0, order[place] ?? 0];
    const isSameX = place < size && x(one) === x(next);
    const isSameXY = isSameX && y(one) === y(next);
    if (!isSameX) tiedBefore += choose2(runX);
    if (!isSameXY) tiedBoth += choose2(runXY);
    runX = isSameX ? runX + 1 : 1;
    runXY = isSameXY ? runXY + 1 : 1;
  }
  const discordant = sortCounting(sorted);
  let [tiedAfter, run] = [0, 1];
  for (let place = 1; place <= size; place += 1) {
    if (place < size && sorted[place] === sorted[place - 1]) run += 1;
    else {
      tiedAfter += choose2(run);
      run = 1;
    }
  }
  return { pairs: choose2(size), discordant, tiedBefore, tiedAfter, tiedBoth };
}

const choose2 = (count: number): number => (count < 2 ? 0 : (count * (count - 1)) / 2);

/** Sorts in place, bottom up, and counts the swaps that bubble sort would make. */
function sortCounting(values: Float64Array): number {
  let from: Float64Array = values;
  let to: Float64Array = new Float64Array(values.length);
  let swaps = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let place = start; place < end; place += 1) {
        const isLeft = left < middle && (right >= end || (from[left] ?? 0) <= (from[right] ?? 0));
        if (!isLeft) swaps += middle - left;
        to[place] = from[isLeft ? left++ : right++] ?? 0;
      }
    }
    [from, to] = [to, from];
  }
  if (from !== values) values.set(from);
  return swaps;
}

export const addPairs = (a: PairTally, b: PairTally): PairTally => ({
  pairs: a.pairs + b.pairs,
  discordant: a.discordant + b.discordant,
  tiedBefore: a.tiedBefore + b.tiedBefore,
  tiedAfter: a.tiedAfter + b.tiedAfter,
  tiedBoth: a.tiedBoth + b.tiedBoth,
});

/** The counts in words' order, with Kendall's tau-b (Kendall 1945, Biometrika 33): null where a side tells none apart. */
export function countsOf({ pairs, discordant, tiedBefore, tiedAfter, tiedBoth }: PairTally): PairCounts {
  const kept = pairs - tiedBefore - tiedAfter + tiedBoth - discordant;
  const scale = Math.sqrt(pairs - tiedBefore) * Math.sqrt(pairs - tiedAfter);
  return {
    pairs,
    kept,
    flipped: discordant,
    tied: tiedAfter - tiedBoth,
    untied: tiedBefore - tiedBoth,
    tau: scale === 0 ? null : Math.max(-1, Math.min(1, (kept - discordant) / scale)),
  };
}
