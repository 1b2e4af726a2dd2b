// Series of more points than a figure has room for: which of them are drawn, and their intervals as one band.
import { el, isBounded, px, type Bounds, type SvgNode } from './scene.ts';

type Point = { x: number; y: number; label?: string };

/** Of a series; a screen has fewer columns than twice as many. */
export const POINTS_MAX = 600;

/**
 * At most about `POINTS_MAX` of the points, all of them measured ones: the first, the last, those with a label, and of
 * every stretch the lowest and the highest. Averages would hide the spikes that a reader looks for.
 */
export function thinned<P extends Point>(points: readonly P[]): P[] {
  if (points.length <= POINTS_MAX) return [...points];
  const size = stretchSize(points.length);
  const kept = new Set<number>([0, points.length - 1]);
  for (let from = 0; from < points.length; from += size) {
    let [low, high] = [from, from];
    for (let at = from; at < Math.min(from + size, points.length); at += 1) {
      const y = points[at]?.y ?? 0;
      if (y < (points[low]?.y ?? 0)) low = at;
      if (y > (points[high]?.y ?? 0)) high = at;
      if (points[at]?.label !== undefined) kept.add(at);
    }
    kept.add(low).add(high);
  }
  return points.filter((_, at) => kept.has(at));
}

const stretchSize = (count: number): number => Math.ceil(count / (POINTS_MAX / 2));

/** Said in the figure; empty where every point is drawn. */
export const thinnedNote = (longest: number): string =>
  longest <= POINTS_MAX
    ? ''
    : `Of ${longest.toLocaleString('en')} points, the lowest and the highest of every ${String(stretchSize(longest))} are drawn; the table has them all.`;

/** Intervals that stand too close to be drawn one by one. */
export function bandNode(
  points: readonly (Bounds & { x: number })[],
  [x, y]: readonly [(value: number) => number, (value: number) => number],
  fill: string,
): SvgNode[] {
  const known = points.filter(isBounded);
  if (known.length < 2) return [];
  const corner = (at: number, value: number): string => `${String(px(x(at)))} ${String(px(y(value)))}`;
  const above = known.map(({ x: at, high }) => corner(at, high));
  const below = known.toReversed().map(({ x: at, low }) => corner(at, low));
  const d = `M${[...above, ...below].join('L')}Z`;
  return [el('path', { d, fill, 'fill-opacity': 0.16, stroke: 'none', class: 'interval-band' })];
}
