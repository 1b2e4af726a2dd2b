// Where a number stands on an axis, and which numbers are written at it. Pure.

/** A range that holds all values with a little room; of one value, half a unit to each side. */
export function rangeOf(values: readonly number[]): [number, number] {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (low > high) return [0, 1];
  const room = low === high ? 0.5 : (high - low) * 0.06;
  return [low - room, high + room];
}

/** About five round numbers within a range. */
export function axisTicks([low, high]: readonly [number, number]): number[] {
  const rough = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((by) => by * unit).find((one) => one >= rough) ?? unit * 10;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1)
    ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

/** From a value to its place between two ends, in pixels. */
export const scaleOf =
  ([low, high]: readonly [number, number], [from, to]: readonly [number, number]) =>
  (value: number): number =>
    from + ((value - low) / (high - low)) * (to - from);
