// The power of the sign-flip test over a few tasks, where Student's t promises too much: data sets are drawn, and the test
// itself says how many of them show a difference. Pure, and the same for the same differences.
// Source of the tilt: Efron (1981), Canadian Journal of Statistics 9, section 11 (exponential tilting).
import { invert } from './distributions.ts';
import { meanOf } from './means.ts';
import { ALPHA, POWER } from './power.ts';
import { seededRandom } from './random.ts';
import { signFlip } from './signFlip.ts';

/** Below so many tasks the power is counted from the test itself. */
export const FEW_TASKS = 20;
const DRAWS = 1_000;
/** A difference is found to a fifth of a point. */
const STEPS = 9;

/** What a task's difference may be, and how likely each value is. */
type Chances = { values: number[]; shares: number[] };

/**
 * The observed differences, weighted so that their mean is another one. What a task could not do in the bench it cannot do
 * here, but for one value: a task may come to be always solved.
 */
export function tiltedTo(mean: number, differences: readonly number[]): Chances {
  const counts = new Map([[1, 1]]);
  for (const one of differences) counts.set(one, (counts.get(one) ?? 0) + 1);
  const values = [...counts.keys()].toSorted((a, b) => a - b);
  const sharesAt = (tilt: number): number[] => {
    const top = tilt > 0 ? 1 : (values[0] ?? 0);
    const weights = values.map((value) => (counts.get(value) ?? 0) * Math.exp(tilt * (value - top)));
    const all = weights.reduce((sum, one) => sum + one, 0);
    return weights.map((one) => one / all);
  };
  const meanAt = (tilt: number): number =>
    sharesAt(tilt).reduce((sum, share, at) => sum + share * (values[at] ?? 0), 0);
  return { values, shares: sharesAt(invert(meanAt, mean, -500, 500)) };
}

/** How often the test shows a difference of this true mean, over data sets of as many tasks. */
export function createPowerOfFew(differences: readonly number[]): (difference: number) => number {
  const upward = meanOf(differences) < 0 ? differences.map((one) => -one) : differences;
  const random = seededRandom('few tasks');
  const tasks = upward.length;
  // The same numbers for every difference, so that the power rises with it.
  const draws = Array.from({ length: DRAWS }, () => Array.from({ length: tasks }, random));
  const known = new Map<string, boolean>();
  const isShown = (drawn: number[]): boolean => {
    const key = drawn.toSorted((a, b) => a - b).join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const shown = signFlip(drawn).p < ALPHA;
    known.set(key, shown);
    return shown;
  };
  return (difference) => {
    const { values, shares } = tiltedTo(difference, upward);
    const drawnAt = (at: number): number => {
      let below = 0;
      const index = shares.findIndex((share) => (below += share) > at);
      return values[index] ?? 1;
    };
    return draws.filter((draw) => isShown(draw.map(drawnAt))).length / DRAWS;
  };
}

/** The least difference that four of five such data sets show; null where not even 1 is shown. */
export function leastDifferenceOfFew(differences: readonly number[]): number | null {
  if (signFlip(differences.map(() => 1)).p >= ALPHA) return null;
  const powerOf = createPowerOfFew(differences);
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (powerOf(middle) < POWER) low = middle;
    else high = middle;
  }
  return high;
}
