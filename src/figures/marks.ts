// Small drawn things that several charts share: marks of points, whiskers of intervals, fills that survive grey print.
import { el, px, type SvgAttributes, type SvgNode } from './scene.ts';
import type { Mark } from './theme.ts';

export function markNode(mark: Mark, x: number, y: number, size: number, attributes: SvgAttributes): SvgNode {
  const [cx, cy] = [px(x), px(y)];
  const at = (dx: number, dy: number): string => `${String(px(x + dx))} ${String(px(y + dy))}`;
  switch (mark) {
    case 'circle':
      return el('circle', { cx, cy, r: size, ...attributes });
    case 'square':
      return el('path', {
        d: `M${at(-size, -size)}H${String(px(x + size))}V${String(px(y + size))}H${String(px(x - size))}Z`,
        ...attributes,
      });
    case 'triangle':
      return el('path', {
        d: `M${at(0, -size * 1.2)}L${at(size * 1.1, size * 0.9)}L${at(-size * 1.1, size * 0.9)}Z`,
        ...attributes,
      });
    case 'diamond':
      return el('path', {
        d: `M${at(0, -size * 1.3)}L${at(size * 1.3, 0)}L${at(0, size * 1.3)}L${at(-size * 1.3, 0)}Z`,
        ...attributes,
      });
    case 'wedge':
      return el('path', {
        d: `M${at(0, size * 1.2)}L${at(size * 1.1, -size * 0.9)}L${at(-size * 1.1, -size * 0.9)}Z`,
        ...attributes,
      });
    case 'cross':
      return el('path', {
        d: `M${at(-size, -size)}L${at(size, size)}M${at(-size, size)}L${at(size, -size)}`,
        'stroke-width': 2,
        stroke: attributes['fill'] ?? 'none',
        ...attributes,
      });
  }
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

/** A bar as series `index` fills it: plain, outlined, hatched, striped across, hatched the other way, striped upright. Grey print keeps them apart. */
export function barNodes(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  index: number,
  colour: string,
  attributes: SvgAttributes,
): SvgNode[] {
  const place = { x: px(x), y: px(y), width: px(Math.max(0, width)), height: px(Math.max(0, height)) };
  const outline = el('rect', {
    ...place,
    fill: colour,
    'fill-opacity': [1, 0.12, 0.35, 0.05, 0.2, 0.05][index % 6] ?? 1,
    stroke: colour,
    'stroke-width': 1,
    ...attributes,
  });
  const stripes = stripesIn(place, index % 6);
  return stripes === ''
    ? [outline]
    : [outline, el('path', { d: stripes, stroke: colour, fill: 'none', 'stroke-width': 1 })];
}

const STRIPE = 6;

function stripesIn(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  style: number,
): string {
  if (style === 3) {
    const rows = Math.floor(height / STRIPE);
    return Array.from(
      { length: rows },
      (_, row) => `M${String(x)} ${String(px(y + (row + 1) * STRIPE - 1))}h${String(width)}`,
    ).join('');
  }
  if (style === 5) {
    const columns = Math.floor(width / STRIPE);
    return Array.from(
      { length: columns },
      (_, column) => `M${String(px(x + (column + 1) * STRIPE - 1))} ${String(y)}v${String(height)}`,
    ).join('');
  }
  if (style === 4) return mirrored(stripesIn({ x, y, width, height }, 2), x + x + width);
  if (style !== 2) return '';
  const parts: string[] = [];
  for (let start = STRIPE; start < width + height; start += STRIPE) {
    const [ax, ay] = start <= width ? [x + start, y] : [x + width, y + start - width];
    const [bx, by] = start <= height ? [x, y + start] : [x + start - height, y + height];
    parts.push(`M${String(px(ax))} ${String(px(ay))}L${String(px(bx))} ${String(px(by))}`);
  }
  return parts.join('');
}

/** The same strokes leaning the other way: `sum` is the left and the right end added up. */
const mirrored = (strokes: string, sum: number): string =>
  strokes.replaceAll(
    /([ML])(-?[\d.]+) /g,
    (_, letter: string, at: string) => `${letter}${String(px(sum - Number(at)))} `,
  );

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
