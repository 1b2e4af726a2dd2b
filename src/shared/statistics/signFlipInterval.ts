// The interval that belongs to the paired sign-flip test: every mean difference that the test would not reject at 5 %.
// A flip of the tasks in S makes the sum as extreme as the observed one just where the mean over S lies on the other
// side of the supposed difference. So the limits are order statistics of the means of subsets of tasks.
// Source: Hartigan (1969), JASA 64 (typical values); Tritchler (1984), JASA 79.
import type { Interval } from './means.ts';
import { ALPHA } from './power.ts';
import { seededRandom } from './random.ts';
import { wholeSteps } from './signFlip.ts';

/** One task: the sum of its values and how many they are. */
export type TaskSum = { sum: number; count: number };

/** The mean of one subset of tasks, and how likely the subset is when each task is in it or not by a coin. */
type SubsetMean = { mean: number; chance: number };

const ENUMERATED_MAX = 16;
const LATTICE_WORK_MAX = 30_000_000;
const DRAWS = 9_999;
const ROUNDING = 1e-12;

/**
 * Of the mean over all values. A limit is infinite where the tasks are too few for the test to reject anything (fewer
 * than six). Null with fewer than two tasks, and where all have the same mean: nothing says how they vary.
 */
export function signFlipInterval(tasks: readonly TaskSum[]): Interval | null {
  const filled = tasks.filter(({ count }) => count > 0);
  const [first, ...others] = filled.map(({ sum, count }) => sum / count);
  if (first === undefined || others.every((mean) => Math.abs(mean - first) < 1e-9)) return null;
  const subsets = latticeMeans(filled) ?? (filled.length <= ENUMERATED_MAX ? enumeratedMeans(filled) : null);
  if (subsets === null) return drawnInterval(filled);
  const sorted = subsets.toSorted((a, b) => a.mean - b.mean);
  return {
    low: limitOf(sorted, filled.length) ?? Number.NEGATIVE_INFINITY,
    high: limitOf(sorted.toReversed(), filled.length) ?? Number.POSITIVE_INFINITY,
  };
}

/** The first mean at which the two-sided test no longer rejects; null where it rejects nothing. */
function limitOf(subsets: readonly SubsetMean[], tasks: number): number | null {
  // The empty subset stands for the observed signs, which are always as extreme as themselves.
  let chance = 2 ** -tasks;
  if (2 * chance >= ALPHA) return null;
  for (const subset of subsets) {
    chance += subset.chance;
    if (2 * chance >= ALPHA - ROUNDING) return subset.mean;
  }
  return null;
}

/** Chance of each mean, built up task by task over sizes and sums; null if sums are no multiples of one number. */
function latticeMeans(tasks: readonly TaskSum[]): SubsetMean[] | null {
  const steps = wholeSteps(tasks.map(({ sum }) => Math.abs(sum)));
  if (steps === null) return null;
  const whole = tasks.map(({ sum, count }, at) => ({ count, step: Math.sign(sum) * (steps.whole[at] ?? 0) }));
  const below = -whole.reduce((sum, { step }) => sum + Math.min(0, step), 0);
  const width = below + whole.reduce((sum, { step }) => sum + Math.max(0, step), 0) + 1;
  const most = whole.reduce((sum, { count }) => sum + count, 0);
  if (width * (most + 1) * whole.length > LATTICE_WORK_MAX) return null;
  let chances = new Float64Array(width * (most + 1));
  chances[below] = 1;
  let reach = width;
  for (const { count, step } of whole) {
    const next = new Float64Array(chances.length);
    for (let at = 0; at <= reach; at += 1) {
      const half = (chances[at] ?? 0) / 2;
      if (half === 0) continue;
      const joined = at + count * width + step;
      next[at] = (next[at] ?? 0) + half;
      next[joined] = (next[joined] ?? 0) + half;
    }
    reach = Math.min(chances.length - 1, reach + (count + 1) * width);
    chances = next;
  }
  const means: SubsetMean[] = [];
  for (let at = width; at < chances.length; at += 1) {
    const chance = chances[at] ?? 0;
    const mean = (((at % width) - below) / Math.floor(at / width)) * steps.unit;
    if (chance > 0) means.push({ mean, chance });
  }
  return means;
}

function enumeratedMeans(tasks: readonly TaskSum[]): SubsetMean[] {
  const all = 2 ** tasks.length;
  return Array.from({ length: all - 1 }, (_, at) => {
    let [total, size] = [0, 0];
    for (const [bit, { sum, count }] of tasks.entries()) {
      if ((((at + 1) >> bit) & 1) === 0) continue;
      total += sum;
      size += count;
    }
    return { mean: total / size, chance: 1 / all };
  });
}

/** The same from drawn subsets, the observed signs among them as in the test: equal tasks, in whatever order, draw equally. */
function drawnInterval(given: readonly TaskSum[]): Interval {
  const tasks = given.toSorted((a, b) => a.sum - b.sum || a.count - b.count);
  const random = seededRandom(0);
  const total = tasks.reduce((sum, one) => sum + one.sum, 0);
  const size = tasks.reduce((sum, one) => sum + one.count, 0);
  const lower = new Float64Array(DRAWS);
  const upper = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let [sum, count] = [0, 0];
    for (const task of tasks) {
      if (random() < 0.5) continue;
      sum += task.sum;
      count += task.count;
    }
    const isSplit = count > 0 && count < size;
    const [mean, rest] = isSplit ? [sum / count, (total - sum) / (size - count)] : [-Infinity, Infinity];
    lower[draw] = Math.min(mean, rest);
    upper[draw] = Math.max(mean, rest);
  }
  lower.sort();
  upper.sort();
  const rank = Math.ceil(ALPHA * (DRAWS + 1) - 1 - ROUNDING);
  return { low: lower[rank - 1] ?? -Infinity, high: upper[DRAWS - rank] ?? Infinity };
}
