// Small drawn things that both engines share: marks of points, whiskers of intervals, bars that survive grey print.
import { textNode, type Box } from './frame.ts';
import { el, px, type SvgAttributes, type SvgNode } from './scene.ts';
import { textWidth } from './text.ts';
import { SIZES, type ColourName, type Mark, type Theme } from './theme.ts';

type Corner = readonly [dx: number, dy: number];
/** Around their middle, for a size of 1. */
const CORNERS: Readonly<Record<Exclude<Mark, 'circle' | 'cross'>, readonly Corner[]>> = {
  square: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  triangle: [
    [0, -1.2],
    [1.1, 0.9],
    [-1.1, 0.9],
  ],
  diamond: [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  wedge: [
    [0, 1.2],
    [1.1, -0.9],
    [-1.1, -0.9],
  ],
};

export function markNode(mark: Mark, x: number, y: number, size: number, attributes: SvgAttributes): SvgNode {
  if (mark === 'circle') return el('circle', { cx: px(x), cy: px(y), r: size, ...attributes });
  const at = ([dx, dy]: Corner): string => `${String(px(x + dx * size))} ${String(px(y + dy * size))}`;
  if (mark !== 'cross') return el('path', { d: `M${CORNERS[mark].map(at).join('L')}Z`, ...attributes });
  const d = `M${at([-1, -1])}L${at([1, 1])}M${at([-1, 1])}L${at([1, -1])}`;
  return el('path', { d, 'stroke-width': 2, stroke: attributes['fill'] ?? 'none', ...attributes });
}

/** An interval: a line with feet, drawn along y (`isUpright`) or along x. */
export function whiskerNode(
  [low, high]: readonly [number, number],
  at: number,
  isUpright: boolean,
  stroke: string,
): SvgNode {
  const foot = 3;
  const [a, b, from, to] = [px(low), px(high), px(at - foot), px(at + foot)].map(String);
  const d = isUpright
    ? `M${String(px(at))} ${a}V${b}M${from} ${a}H${to}M${from} ${b}H${to}`
    : `M${a} ${String(px(at))}H${b}M${a} ${from}V${to}M${b} ${from}V${to}`;
  return el('path', { d, fill: 'none', stroke, 'stroke-width': 1.5, class: 'interval' });
}

type Place = { x: number; y: number; width: number; height: number };

/** A bar as series `index` fills it: plain, outlined, hatched, striped across, hatched the other way, striped upright. */
export function barNodes(
  { x, y, width, height }: Place,
  index: number,
  colour: string,
  attributes: SvgAttributes,
): SvgNode[] {
  const place = { x: px(x), y: px(y), width: px(Math.max(0, width)), height: px(Math.max(0, height)) };
  const bar = el('rect', {
    ...place,
    fill: colour,
    'fill-opacity': [1, 0.12, 0.35, 0.05, 0.2, 0.05][index % 6] ?? 1,
    stroke: colour,
    'stroke-width': 1,
    ...attributes,
  });
  const d = stripesIn(place, index % 6);
  return d === '' ? [bar] : [bar, el('path', { d, stroke: colour, fill: 'none', 'stroke-width': 1 })];
}

const STRIPE = 6;

function stripesIn({ x, y, width, height }: Place, style: number): string {
  const stroke = (...ends: readonly number[]): string => {
    const [ax, ay, bx, by] = ends.map((end) => String(px(end)));
    return `M${ax} ${ay}L${bx} ${by}`;
  };
  const every = (length: number, strokeAt: (at: number) => string): string =>
    Array.from({ length: Math.floor(length / STRIPE) }, (_, row) => strokeAt((row + 1) * STRIPE)).join('');
  if (style === 3) return every(height, (at) => stroke(x, y + at - 1, x + width, y + at - 1));
  if (style === 5) return every(width, (at) => stroke(x + at - 1, y, x + at - 1, y + height));
  if (style !== 2 && style !== 4) return '';
  const across = (dx: number): number => (style === 2 ? x + dx : x + width - dx);
  return every(width + height, (at) =>
    stroke(
      across(Math.min(at, width)),
      y + Math.max(0, at - width),
      across(Math.max(0, at - height)),
      y + Math.min(at, height),
    ),
  );
}

export type LegendEntry = { name: string; colour: ColourName };
const LEGEND_LINE = 20;

/** Names of fills, from left to right in as many lines as they take. */
function placedEntries(entries: readonly LegendEntry[], width: number): { left: number; line: number }[] {
  let [left, line] = [0, 0];
  return entries.map(({ name }) => {
    const wide = textWidth(name, SIZES.text) + 34;
    if (left > 0 && left + wide > width) [left, line] = [0, line + 1];
    const place = { left, line };
    left += wide;
    return place;
  });
}

export const legendHeight = (entries: readonly LegendEntry[], width: number): number =>
  entries.length === 0 ? 0 : ((placedEntries(entries, width).at(-1)?.line ?? 0) + 1) * LEGEND_LINE;

export function legendNodes(entries: readonly LegendEntry[], box: Box, theme: Theme): SvgNode[] {
  const places = placedEntries(entries, box.width);
  return entries.flatMap(({ name, colour }, index) => {
    const x = box.left + (places[index]?.left ?? 0);
    const y = box.top + (places[index]?.line ?? 0) * LEGEND_LINE;
    return [
      ...barNodes({ x, y: y + 2, width: 14, height: 12 }, index, theme.colours[colour], { class: 'key' }),
      textNode(name, x + 20, y + 12, { fill: theme.ink }),
    ];
  });
}

/** Keeps words readable over lines. */
export const halo = ({ halo: stroke }: Theme): SvgAttributes => ({
  stroke,
  'stroke-width': 4,
  'stroke-linejoin': 'round',
  'paint-order': 'stroke',
});

/** Places labels at least `gap` apart, as near to where they belong as that allows. */
export function spread(
  wanted: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let before = low - gap;
  for (const index of order) before = placed[index] = Math.max(wanted[index] ?? 0, before + gap);
  let after = high + gap;
  for (const index of order.toReversed()) after = placed[index] = Math.min(placed[index] ?? 0, after - gap);
  return placed;
}
