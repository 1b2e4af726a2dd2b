// The paired sign-flip test: were neither side better, each task's difference could as well have had the other sign.
// Source: Fisher (1935), The Design of Experiments, section 21; the add-one rule of Phipson and Smyth (2010), SAGMB 9.
import { seededRandom } from './random.ts';

type SignFlip = {
  /** Two-sided; 1 where no task came out differently. */
  p: number;
  /** `exact`: over all signs. `monte_carlo`: over drawn ones, the observed one among them. */
  method: 'exact' | 'monte_carlo';
};

/** So many differences are enumerated one by one; more only where they are multiples of one number. */
const ENUMERATED_MAX = 16;
const DRAWS = 9_999;
/** Sums this close are the same sum. */
const NEAR = 1e-9;

/** Equal differences, in whatever order and of either sign, have the same p. */
export function signFlip(differences: readonly number[]): SignFlip {
  const moved = differences.filter((one) => Math.abs(one) > NEAR).map((one) => Math.abs(one));
  const observed = Math.abs(differences.reduce((sum, one) => sum + one, 0));
  if (moved.length === 0) return { p: 1, method: 'exact' };
  const steps = wholeSteps(moved);
  if (steps !== null) return { p: exactOnLattice(steps.whole, observed / steps.unit), method: 'exact' };
  if (moved.length <= ENUMERATED_MAX) return { p: exactByEnumeration(moved, observed), method: 'exact' };
  return {
    p: byDrawing(
      moved.toSorted((a, b) => a - b),
      observed,
    ),
    method: 'monte_carlo',
  };
}

/** The differences as multiples of one fraction, where there is a simple one: task means over a few runs have. */
export function wholeSteps(moved: readonly number[]): { whole: number[]; unit: number } | null {
  for (let parts = 1; parts <= 420; parts += 1) {
    const whole = moved.map((one) => Math.round(one * parts));
    const fits = moved.every((one, at) => Math.abs(one * parts - (whole[at] ?? 0)) < 1e-7);
    if (fits) return whole.reduce((sum, one) => sum + one, 0) <= 200_000 ? { whole, unit: 1 / parts } : null;
  }
  return null;
}

/** The chance of each sum, built up one difference at a time (Pagano and Tritchler 1983, JASA 78). */
function exactOnLattice(whole: readonly number[], observed: number): number {
  const most = whole.reduce((sum, one) => sum + one, 0);
  let chances = new Float64Array(2 * most + 1);
  chances[most] = 1;
  let reach = 0;
  for (const step of whole) {
    const next = new Float64Array(2 * most + 1);
    for (let sum = most - reach; sum <= most + reach; sum += 1) {
      const half = (chances[sum] ?? 0) / 2;
      if (half === 0) continue;
      next[sum + step] = (next[sum + step] ?? 0) + half;
      next[sum - step] = (next[sum - step] ?? 0) + half;
    }
    chances = next;
    reach += step;
  }
  const least = Math.round(observed);
  const extreme = chances.reduce((p, one, at) => (Math.abs(at - most) >= least ? p + one : p), 0);
  return Math.min(1, extreme);
}

function exactByEnumeration(moved: readonly number[], observed: number): number {
  const all = 2 ** moved.length;
  let extreme = 0;
  for (let signs = 0; signs < all; signs += 1) {
    let sum = 0;
    for (let at = 0; at < moved.length; at += 1)
      sum += (signs >> at) & 1 ? (moved[at] ?? 0) : -(moved[at] ?? 0);
    if (Math.abs(sum) >= observed - NEAR) extreme += 1;
  }
  return extreme / all;
}

function byDrawing(moved: readonly number[], observed: number): number {
  const random = seededRandom(0);
  let extreme = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    for (const one of moved) sum += random() < 0.5 ? one : -one;
    if (Math.abs(sum) >= observed - NEAR) extreme += 1;
  }
  return (extreme + 1) / (DRAWS + 1);
}
