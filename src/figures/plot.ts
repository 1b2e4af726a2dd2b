// One of two engines: numbers over an upright axis, as lines and points over numbers or as columns over categories.
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import {
  categoryAxis,
  scaleOver,
  tickRoom,
  ticksOf,
  X_AXIS_ROOM,
  xAxis,
  Y_LABEL_ROOM,
  Y_TICKS,
  yAxis,
  type Axis,
} from './axes.ts';
import { drawingOf, textNode, type Box, type ChartWords, type Drawing, type Drawn } from './frame.ts';
import { barNodes, halo, legendHeight, legendNodes, markNode, spread, whiskerNode } from './marks.ts';
import {
  el,
  isBounded,
  px,
  type Bounds,
  type FigurePoint,
  type FigureTable,
  type SvgNode,
  type TableCell,
} from './scene.ts';
import { formatNumber, textWidth, wrapText } from './text.ts';
import { DASHES, MARKS, SERIES_COLOURS, SIZES, type ColourName, type Theme } from './theme.ts';

export type PlotPoint = Bounds & {
  /** Over categories the place of its category among them. */
  x: number;
  y: number;
  /** Written beside the mark. */
  label?: string;
  /** Drawn as an outline: what that means is said in a note. */
  isHollow?: boolean;
};
export type PlotSeries = {
  name: string;
  points: readonly PlotPoint[];
  colour?: ColourName;
  /** Points that do not belong to one another are not joined. */
  isJoined?: boolean;
};

type PlotContent = ChartWords & {
  x: Axis;
  /** With them every point is a column. */
  categories?: readonly string[];
  y: Axis;
  series: readonly PlotSeries[];
  /** Lines across at one height, each with its name: a threshold. */
  levels?: readonly { y: number; label: string }[];
  /** Stretches of the x axis with their names: phases. */
  stretches?: readonly { from: number; to: number; label: string }[];
};

/** `style`: which dash and mark it has, or which fill. */
type Styled = PlotSeries & { colour: ColourName; style: number };
type Scales = {
  plot: Box;
  y: ScaleLinear<number, number>;
  x: ScaleLinear<number, number>;
  /** The middle of a point. */
  across: (point: PlotPoint, series: Styled) => number;
  /** How wide a column is. */
  column: number;
};

const LABEL_LINE = 14;
/** Longer series are drawn without marks, their intervals as a band. */
export const MARKS_MAX = 60;
const LONG_MARKS = 10;

export function plot(content: PlotContent): Drawing {
  const series = content.series
    .map((one, index) => ({
      ...one,
      colour: one.colour ?? SERIES_COLOURS[index % SERIES_COLOURS.length] ?? 'agent',
      style: index,
    }))
    .filter(({ points }) => points.length > 0);
  const longest = Math.max(0, ...series.map(({ points }) => points.length));
  const isOfOne = longest === 1 && content.categories === undefined;
  const drawn = series.map((one) => ({ ...one, points: thinned(one.points) }));
  return drawingOf({
    ...content,
    notes: [
      isOfOne ? 'Each series is one measurement: nothing here shows a change.' : '',
      thinnedNote(longest),
      ...content.notes,
    ],
    isEmpty: series.length === 0,
    table: () => tableOf(content, series),
    heightOf: (width) =>
      legendHeight(legendOf(content, drawn), width) +
      Math.round(Math.max(240, Math.min(380, width * 0.5))) +
      X_AXIS_ROOM,
    draw: (box, theme, { yLeast = [] }) => drawPlot(content, drawn, { box, theme, yLeast }),
  });
}

function tableOf({ x, categories }: PlotContent, series: readonly PlotSeries[]): FigureTable {
  const withIntervals = series.some(({ points }) => points.some(isBounded));
  return {
    columns: ['Series', x.label, 'Value', ...(withIntervals ? ['Low', 'High'] : [])],
    rows: series.flatMap(({ name, points }) =>
      points.map(({ x: at, y, low, high }): TableCell[] => [
        name,
        categories?.[at] ?? at,
        y,
        ...(withIntervals ? [low ?? null, high ?? null] : []),
      ]),
    ),
  };
}

/** Lines are named at their ends, columns above the plot; one series of columns is named by the title. */
const legendOf = ({ categories }: PlotContent, series: readonly Styled[]): readonly Styled[] =>
  categories === undefined || series.length < 2 ? [] : series;

type Surroundings = { box: Box; theme: Theme; yLeast: readonly number[] };

function drawPlot(
  content: PlotContent,
  series: readonly Styled[],
  { box, theme, yLeast }: Surroundings,
): Drawn {
  const { categories, levels = [], stretches = [] } = content;
  const legend = legendOf(content, series);
  const names = series.map(({ name }) =>
    categories === undefined ? wrapText(name, SIZES.text, Math.max(90, box.width * 0.26)) : [],
  );
  const widths = names.flat().map((line) => textWidth(line, SIZES.text));
  const labelRoom = categories === undefined ? Math.ceil(Math.max(...widths)) + 14 : 0;
  const top = box.top + legendHeight(legend, box.width) + Y_LABEL_ROOM;
  const height = box.top + box.height - top - X_AXIS_ROOM;
  const y = scaleOver(heightsOf(content, series, yLeast), content.y, [top + height, top], Y_TICKS);
  const left = box.left + tickRoom(ticksOf(y, Y_TICKS));
  const plot = { left, top, width: box.left + box.width - labelRoom - left, height };
  const scales = { plot, y, ...acrossIn(content, series, plot) };
  const [low = 0, high = 1] = y.domain();
  return {
    points: series
      .flatMap((one) => one.points.map((point) => pointOf(content, one, point, scales)))
      .toSorted((a, b) => a.x - b.x || a.y - b.y),
    // Of one point alone the axis is a guess that the next one corrects.
    ...(series.some(({ points }) => points.length > 1) ? { yShown: [low, high] as const } : {}),
    nodes: [
      ...legendNodes(legend, box, theme),
      ...stretches.flatMap((stretch, index) => stretchNodes(stretch, index, scales, theme)),
      ...yAxis(y, plot, content.y.label, theme),
      ...(categories === undefined
        ? xAxis(scales.x, plot, content.x, theme)
        : categoryAxis(categories, content.x.label, plot, theme)),
      ...levels.map((level) => levelLine(level.y, scales, theme)),
      ...(categories === undefined
        ? series.flatMap((one) => lineNodes(one, markEvery(one, series), scales, theme))
        : columnNodes(content, series, scales, theme)),
      ...levels.map(({ y: at, label }) =>
        textNode(label, plot.left + 4, px(y(at)) - 4, {
          'font-size': SIZES.small,
          fill: theme.quiet,
          ...halo(theme),
        }),
      ),
      ...(categories === undefined ? endLabels(series, names, scales, theme) : []),
    ],
  };
}

/** Every height that has to be within the plot. */
function heightsOf(
  { categories, levels = [] }: PlotContent,
  series: readonly Styled[],
  yLeast: readonly number[],
): number[] {
  const points = series.flatMap((one) => one.points);
  return [
    ...points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
    ...levels.map((level) => level.y),
    ...(categories === undefined ? [] : [0]),
    ...yLeast,
  ];
}

const GROUP_MAX = 260;

/** Over numbers d3's scale; over categories each has a stretch of its own, with the columns of its series side by side. */
function acrossIn(
  { x: axis, categories }: PlotContent,
  series: readonly Styled[],
  plot: Box,
): Pick<Scales, 'x' | 'across' | 'column'> {
  const range = [plot.left + 4, plot.left + plot.width - 4] as const;
  if (categories === undefined) {
    const values = series.flatMap(({ points }) => points.map((point) => point.x));
    const x = scaleOver(values, axis, range, 8);
    return { x, across: (point) => x(point.x), column: 0 };
  }
  const x = scaleLinear([-0.5, categories.length - 0.5], [plot.left, plot.left + plot.width]);
  const group = Math.min(GROUP_MAX, (plot.width / categories.length) * 0.78);
  const step = group / series.length;
  const across: Scales['across'] = (point, one) =>
    x(point.x) - group / 2 + (series.indexOf(one) + 0.5) * step;
  return { x, across, column: step * 0.92 };
}

const rangeText = (point: PlotPoint): string =>
  isBounded(point) ? ` (${formatNumber(point.low)} to ${formatNumber(point.high)})` : '';

function pointOf(
  { x, y, categories }: PlotContent,
  series: Styled,
  point: PlotPoint,
  scales: Scales,
): FigurePoint {
  const place = `${x.label} ${categories?.[point.x] ?? formatNumber(point.x)}`;
  const label = point.label === undefined ? '' : `, ${point.label}`;
  return {
    x: px(scales.across(point, series)),
    y: px(scales.y(point.y)),
    text: `${series.name}. ${place}: ${y.label} ${formatNumber(point.y)}${rangeText(point)}${label}`,
  };
}

const dataOf = (name: string, { y }: PlotPoint, x: string | number): Record<string, string | number> => ({
  class: 'mark',
  'data-series': name,
  'data-x': x,
  'data-y': y,
});

/** Of several long lines every so many points have a mark: they tell the lines apart, and hide none. */
function markEvery({ points }: Styled, lines: readonly Styled[]): number {
  const all = lines.reduce((sum, one) => sum + one.points.length, 0);
  if (lines.length > 1 && all > MARKS_MAX * 2) return Math.ceil(points.length / LONG_MARKS);
  return points.length > MARKS_MAX ? 0 : 1;
}

/** `every`: how many points come to a mark; 0 for none. */
function lineNodes(series: Styled, every: number, { x, y }: Scales, theme: Theme): SvgNode[] {
  const { name, colour, style, points, isJoined = true } = series;
  const ink = theme.colours[colour];
  const corners = points.map((point) => `${String(px(x(point.x)))} ${String(px(y(point.y)))}`);
  const line = el('path', {
    d: `M${corners.join('L')}`,
    fill: 'none',
    stroke: ink,
    'stroke-width': 2,
    'stroke-linejoin': 'round',
    'stroke-dasharray': DASHES[style % DASHES.length] || 'none',
  });
  const hasMark = (index: number): boolean => every > 0 && (points.length - 1 - index) % every === 0;
  const mark = MARKS[style % MARKS.length] ?? 'circle';
  const textStyle = { 'font-size': SIZES.small, fill: theme.ink, ...halo(theme) };
  return [
    ...(every === 1 ? [] : bandNode(points, [x, y], ink)),
    ...(isJoined && points.length > 1 ? [line] : []),
    ...points.flatMap((point, index) => {
      const [left, top] = [x(point.x), y(point.y)];
      const fill =
        point.isHollow === true ? { fill: theme.halo, stroke: ink, 'stroke-width': 1.5 } : { fill: ink };
      return [
        ...(isBounded(point) && every === 1
          ? [whiskerNode([y(point.low), y(point.high)], left, true, ink)]
          : []),
        ...(hasMark(index)
          ? [markNode(mark, left, top, 3.2, { ...fill, ...dataOf(name, point, point.x) })]
          : []),
        ...(point.label === undefined ? [] : [textNode(point.label, left + 6, top - 8, textStyle)]),
      ];
    }),
  ];
}

function columnNodes(
  { categories = [] }: PlotContent,
  series: readonly Styled[],
  { y, across, column }: Scales,
  theme: Theme,
): SvgNode[] {
  const from = y(Math.max(0, y.domain()[0] ?? 0));
  // Numbers stand over all columns or over none: over some alone they would look chosen.
  const isNumbered = series.every(({ points }) =>
    points.every((point) => textWidth(formatNumber(point.y), SIZES.small) <= column + 8),
  );
  const textStyle = { 'text-anchor': 'middle', 'font-size': SIZES.small, fill: theme.ink };
  return series.flatMap((one) =>
    one.points.flatMap((point) => {
      const [middle, at] = [across(point, one), y(point.y)];
      const bar = {
        x: middle - column / 2,
        y: Math.min(from, at),
        width: column,
        height: Math.abs(from - at),
      };
      const top = Math.min(from, at, isBounded(point) ? y(point.high) : at);
      return [
        ...barNodes(
          bar,
          one.style,
          theme.colours[one.colour],
          dataOf(one.name, point, categories[point.x] ?? ''),
        ),
        ...(isBounded(point) ? [whiskerNode([y(point.low), y(point.high)], middle, true, theme.ink)] : []),
        ...(isNumbered
          ? [
              textNode(
                formatNumber(point.y),
                middle,
                point.y < 0 ? Math.max(from, at) + 13 : top - 4,
                textStyle,
              ),
            ]
          : []),
      ];
    }),
  );
}

/** Names stand at the ends of their lines, moved apart where the ends meet. */
function endLabels(
  series: readonly Styled[],
  names: readonly string[][],
  { x, y, plot }: Scales,
  theme: Theme,
): SvgNode[] {
  const ends = series.map(({ points }) => {
    const end = points.reduce((last, point) => (point.x >= last.x ? point : last));
    return { left: x(end.x), top: y(end.y) };
  });
  const tallest = Math.max(...names.map((lines) => lines.length));
  const placed = spread(
    ends.map(({ top }) => top),
    tallest * LABEL_LINE + 2,
    [plot.top + 4, plot.top + plot.height - 4],
  );
  const left = plot.left + plot.width + 10;
  return ends.flatMap((end, index) => {
    const lines = names[index] ?? [];
    const at = placed[index] ?? end.top;
    const fill = theme.colours[series[index]?.colour ?? 'agent'];
    const isMoved = Math.abs(at - end.top) > 6 || end.left < plot.left + plot.width - 12;
    const leader = el('path', {
      d: `M${String(px(end.left + 5))} ${String(px(end.top))}L${String(px(left - 3))} ${String(px(at))}`,
      stroke: fill,
      'stroke-width': 0.75,
      // Dotted: it leads to a name, and is no measurement.
      'stroke-dasharray': '1 3',
      fill: 'none',
    });
    const first = at - ((lines.length - 1) * LABEL_LINE) / 2 + 4;
    return [
      ...(isMoved ? [leader] : []),
      ...lines.map((line, row) =>
        textNode(line, left, first + row * LABEL_LINE, { fill, 'font-weight': 700 }),
      ),
    ];
  });
}

const levelLine = (at: number, { y, plot }: Scales, theme: Theme): SvgNode =>
  el('line', {
    x1: plot.left,
    x2: px(plot.left + plot.width),
    y1: px(y(at)),
    y2: px(y(at)),
    stroke: theme.quiet,
    'stroke-width': 1,
    'stroke-dasharray': '1 3',
    class: 'level',
    'data-y': at,
  });

/** A shade, every other time, with its name above where there is room. */
function stretchNodes(
  { from, to, label }: { from: number; to: number; label: string },
  index: number,
  { x, plot }: Scales,
  theme: Theme,
): SvgNode[] {
  const [left, right] = [px(x(from)), px(x(to))];
  const shade = el('rect', {
    x: left,
    y: plot.top,
    width: px(Math.max(0, right - left)),
    height: plot.height,
    fill: theme.axis,
    'fill-opacity': index % 2 === 0 ? 0.1 : 0,
    class: 'stretch',
  });
  if (textWidth(label, SIZES.small) >= right - left - 4) return [shade];
  const style = { 'text-anchor': 'middle', 'font-size': SIZES.small, fill: theme.quiet };
  return [shade, textNode(label, (left + right) / 2, plot.top + 13, style)];
}

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
