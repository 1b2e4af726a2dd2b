// The few statistics the lab needs. Null where a number is not defined, never 0 or NaN. Pure.

export const meanOf = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return values.length === 0 ? 0 : sum / values.length;
};

/** The sample's standard deviation (n - 1); null with fewer than two values. */
export function deviationOf(values: ArrayLike<number>): number | null {
  if (values.length < 2) return null;
  const mean = meanOf(values);
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += ((values[index] ?? 0) - mean) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Pearson's product-moment correlation; null where either side does not vary. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let index = 0; index < x.length; index += 1) {
    const [dx, dy] = [(x[index] ?? 0) - meanX, (y[index] ?? 0) - meanY];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  if (!varies(x) || !varies(y)) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}

/** Asked of the values themselves: a sum of squares of equal numbers may miss 0 by rounding. */
const varies = (values: ArrayLike<number>): boolean => {
  for (let index = 1; index < values.length; index += 1) if (values[index] !== values[0]) return true;
  return false;
};

/**
 * Correlation of numbers with a yes or no: Pearson's with 0 and 1 (Tate 1954, Annals of Mathematical Statistics 25).
 */
export const pointBiserial = (values: ArrayLike<number>, isTrue: ArrayLike<number>): number | null =>
  pearson(values, isTrue);

/** Pearson's correlation of the ranks, ties given the mean of theirs (Spearman 1904; Kendall 1945 on ties). */
export const spearman = (x: ArrayLike<number>, y: ArrayLike<number>): number | null =>
  pearson(ranksOf(x), ranksOf(y));

/** Ranks from 1; equal values share the mean of theirs. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, index) => index);
  const at = (place: number): number => values[order[place] ?? 0] ?? 0;
  order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && at(to) === at(from)) to += 1;
    for (let place = from; place < to; place += 1) ranks[order[place] ?? 0] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/** Wilson's score interval of a share at 95 % (Wilson 1927, JASA 22); null of nothing. */
export function wilson(successes: number, total: number): { low: number; high: number } | null {
  if (total === 0) return null;
  const z = 1.959_963_984_540_054;
  const [share, spread] = [successes / total, (z * z) / total];
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / total + spread / (4 * total));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
