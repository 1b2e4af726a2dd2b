// The interval of a mean over tasks, by drawing tasks again with replacement. The tasks are the unit: several runs of one
// task are one value, their mean.
// Source: the expanded percentile interval of Hesterberg (2015), The American Statistician 69, section 4.3: the plain
// percentile interval is too narrow for few tasks, and this one is as wide as Student's t makes it.
import { normalCdf, studentQuantile } from './distributions.ts';
import type { Interval } from './means.ts';
import { seededRandom } from './random.ts';

const LEVEL = 0.95;
const DRAWS = 4_000;

/**
 * Null with fewer than two tasks, and where all tasks have the same value: nothing to draw from says how they vary.
 * Equal values, in whatever order, have equal intervals.
 */
export function bootstrapMean(given: readonly number[], { draws = DRAWS } = {}): Interval | null {
  const values = given.toSorted((a, b) => a - b);
  const count = values.length;
  if (count < 2 || values.every((value) => value === values[0])) return null;
  const random = seededRandom(0);
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (let one = 0; one < count; one += 1) sum += values[Math.floor(random() * count)] ?? 0;
    means[draw] = sum / count;
  }
  means.sort();
  const tail = expandedTail(count);
  return { low: quantileOf(means, tail), high: quantileOf(means, 1 - tail) };
}

const tails = new Map<number, number>();

/** The share to cut off on each side, so that a normal mean gets the width of Student's interval. */
function expandedTail(count: number): number {
  const known = tails.get(count);
  if (known !== undefined) return known;
  const t = studentQuantile(1 - (1 - LEVEL) / 2, count - 1);
  const tail = normalCdf(-Math.sqrt(count / (count - 1)) * t);
  tails.set(count, tail);
  return tail;
}

/** Between the sorted values, as R's type 7 and numpy's default. */
function quantileOf(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
