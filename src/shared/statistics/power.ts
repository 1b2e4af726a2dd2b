// Power of a comparison for a true difference, and the least difference that it would have shown most of the time.
// Pure.
// Source: Cohen (1988), Statistical Power Analysis, chapter 2 (noncentral t); Miettinen (1968), Biometrics 24 (McNemar).
import { binomialChance, invert, lnGamma, normalCdf, studentQuantile } from './distributions.ts';
import { mcnemarExact } from './proportions.ts';

export const ALPHA = 0.05;
/** A difference counts as one that could have been shown where four runs of five would have shown it. */
export const POWER = 0.8;

/** `step`: the least by which task values differ, 1 / runs per task; 0 for values that may be anything. */
type TaskSpread = { deviation: number; tasks: number; step: number };

/**
 * The power of the sign-flip test of the mean of task differences: Student's, for a difference made smaller by half of
 * what lies between two sums of flipped signs (a continuity correction, as the test claims nothing between them).
 */
export function powerOfMeans(difference: number, { deviation, tasks, step }: TaskSpread): number {
  const freedom = tasks - 1;
  const limit = studentQuantile(1 - ALPHA / 2, freedom);
  const shift = ((difference - step / tasks) / deviation) * Math.sqrt(tasks);
  return overScales(freedom, (scale) => normalCdf(shift - limit * scale) + normalCdf(-shift - limit * scale));
}

/** The mean over a sample deviation's scale, whose square times its degrees of freedom is chi squared (Simpson's rule). */
function overScales(freedom: number, value: (scale: number) => number): number {
  const constant = Math.LN2 + (freedom / 2) * Math.log(freedom / 2) - lnGamma(freedom / 2);
  const density = (scale: number): number =>
    scale <= 0 ? 0 : Math.exp(constant + (freedom - 1) * Math.log(scale) - (freedom * scale * scale) / 2);
  const [steps, high] = [2_000, 1 + 12 / Math.sqrt(freedom)];
  let sum = 0;
  for (let at = 0; at <= steps; at += 1) {
    const scale = (high * at) / steps;
    sum += (at === 0 || at === steps ? 1 : at % 2 === 1 ? 4 : 2) * density(scale) * value(scale);
  }
  return (sum * high) / steps / 3;
}

const claimed = new Map<number, number>();

/** Of so many tasks that came out differently, at most so many may go the other way for a claim; -1 for no claim. */
function mostOthers(differing: number): number {
  const known = claimed.get(differing);
  if (known !== undefined) return known;
  let most = -1;
  while (
    2 * (most + 1) < differing &&
    mcnemarExact({ onlyFirst: most + 1, onlySecond: differing - most - 1 }) < ALPHA
  )
    most += 1;
  claimed.set(differing, most);
  return most;
}

/**
 * The power of McNemar's exact test over so many tasks with one run each: `gained` is the share of tasks that only the
 * second side solves, `lost` that only the first does.
 */
export function powerOfPairs(gained: number, lost: number, tasks: number): number {
  const differing = gained + lost;
  let power = 0;
  for (let count = 0; count <= tasks; count += 1) {
    const chance = binomialChance(count, tasks, differing);
    if (chance < 1e-12) continue;
    const most = mostOthers(count);
    let shown = 0;
    for (let fewer = 0; fewer <= most; fewer += 1)
      shown +=
        binomialChance(fewer, count, gained / differing) +
        binomialChance(count - fewer, count, gained / differing);
    power += chance * shown;
  }
  return power;
}

/** The least difference of means with a power of 80 %; null where not even 1 has it, or nothing varies. */
export function leastMeanDifference(spread: TaskSpread): number | null {
  if (spread.tasks < 2 || spread.deviation <= 0) return null;
  const from = spread.step / spread.tasks;
  const least = invert((difference) => powerOfMeans(difference, spread), POWER, from, 4);
  return least > 1 ? null : least;
}

/** The same for one run per task, where `lost` tasks of all go the other way. */
export function leastPairedDifference(lost: number, tasks: number): number | null {
  const most = 1 - lost;
  if (tasks < 1 || powerOfPairs(most, lost, tasks) < POWER) return null;
  const gained = invert((share) => (share <= 0 ? 0 : powerOfPairs(share, lost, tasks)), POWER, 0, most);
  return gained - lost;
}
