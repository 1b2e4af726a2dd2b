// The distributions that the tests and intervals need. Pure; each is compared with scipy in a test.
// Source of the continued fraction and of ln Γ: Press et al., Numerical Recipes, 3rd ed., sections 6.1 and 6.4.

const LANCZOS = [
  676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_1, -176.615_029_162_140_6,
  12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6, 1.505_632_735_149_311_6e-7,
];

/** ln Γ(x) for x > 0 (Lanczos 1964, coefficients of Godfrey for g = 7). */
export function lnGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x);
  const base = x - 1 + 7.5;
  const series = LANCZOS.reduce(
    (sum, coefficient, at) => sum + coefficient / (x + at),
    0.999_999_999_999_809_9,
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(series);
}

/** The regularised incomplete beta function: the chance that a Beta(a, b) is below x. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  if (x > (a + 1) / (a + b + 2)) return 1 - (front * betaFraction(1 - x, b, a)) / b;
  return (front * betaFraction(x, a, b)) / a;
}

/** Lentz's method; it converges fast below the mean. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guarded = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guarded(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 1000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

/** The chance that a standard normal is below z. */
export function normalCdf(z: number): number {
  const tail = normalTail(Math.abs(z));
  return z > 0 ? 1 - tail : tail;
}

/** The chance above z >= 0: the power series near 0, the continued fraction of Laplace beyond. */
function normalTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 4) {
    let fraction = z;
    for (let k = 120; k >= 1; k -= 1) fraction = z + k / fraction;
    return density / fraction;
  }
  let [term, sum] = [z, z];
  for (let k = 1; k < 200 && term > 1e-18 * sum; k += 1) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return 0.5 - density * sum;
}

/** The chance that Student's t with so many degrees of freedom is below t. */
function studentCdf(t: number, freedom: number): number {
  const tail = betaCdf(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** Finds where a rising function reaches a value, between two bounds. */
export function invert(rising: (x: number) => number, value: number, low: number, high: number): number {
  let [from, to] = [low, high];
  for (let step = 0; step < 200 && to - from > 1e-14 * Math.max(1, Math.abs(from)); step += 1) {
    const middle = (from + to) / 2;
    if (rising(middle) < value) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

export const studentQuantile = (chance: number, freedom: number): number =>
  invert((t) => studentCdf(t, freedom), chance, -1e4, 1e4);

/** The chance of exactly k successes in n draws. */
export function binomialChance(k: number, n: number, share: number): number {
  if (k < 0 || k > n) return 0;
  if (share <= 0) return k === 0 ? 1 : 0;
  if (share >= 1) return k === n ? 1 : 0;
  const ways = lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);
  return Math.exp(ways + k * Math.log(share) + (n - k) * Math.log1p(-share));
}
