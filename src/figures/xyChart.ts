// Lines and points over a number: most charts of a training run.
import type { ScaleLinear } from 'd3-scale';
import {
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
import { frame, textNode, type Box, type Drawn, type FigureOptions } from './frame.ts';
import { bandNode, thinned, thinnedNote } from './longSeries.ts';
import { markNode, spread, whiskerNode } from './marks.ts';
import { el, px, type Figure, type FigurePoint, type SvgNode, type TableCell } from './scene.ts';
import { formatNumber, textWidth, wrapText } from './text.ts';
import { DASHES, MARKS, SERIES_COLOURS, SIZES, type ColourName, type Theme } from './theme.ts';

export type XyPoint = {
  x: number;
  y: number;
  low?: number | null | undefined;
  high?: number | null | undefined;
  /** Written beside the mark. */
  label?: string;
  /** What is said of it instead of its numbers. */
  text?: string;
  /** Drawn as an outline: what that means is said in a note. */
  isHollow?: boolean;
};
export type XySeries = {
  name: string;
  points: readonly XyPoint[];
  colour?: ColourName;
  /** Points that do not belong to one another are not joined. */
  isJoined?: boolean;
  /** Which dash and mark it has; by default its place in the list. */
  style?: number;
  /** Bars from zero instead of a line: green above, red below, told apart by their side. */
  isBars?: boolean;
};

/** A line across at one height, with its name: a threshold, an untrained baseline. */
export type Level = { y: number; label: string };
/** A stretch of the x axis with its name: a phase. */
export type Stretch = { from: number; to: number; label: string };

export type XyContent = {
  name: string;
  title: string;
  subtitle: string;
  notes: readonly string[];
  x: Axis;
  y: Axis;
  series: readonly XySeries[];
  levels?: readonly Level[];
  stretches?: readonly Stretch[];
  /** A thin line where y equals x. */
  hasDiagonal?: boolean;
  empty: string;
};

type Styled = XySeries & { colour: ColourName; style: number };

const LABEL_LINE = 14;
/** Longer series are drawn without marks, their intervals as a band. */
export const MARKS_MAX = 60;
const LONG_MARKS = 10;

export function xyChart(content: XyContent, options: FigureOptions): Figure {
  const series = content.series
    .map((one, index): Styled => ({
      ...one,
      colour: one.colour ?? SERIES_COLOURS[index % SERIES_COLOURS.length] ?? 'agent',
      style: one.style ?? index,
      points: one.points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)),
    }))
    .filter(({ points }) => points.length > 0);
  const longest = Math.max(0, ...series.map(({ points }) => points.length));
  const drawn = series.map((one) => ({ ...one, points: thinned(one.points) }));
  const long = thinnedNote(longest);
  const single = longest === 1 ? ['Each series is one measurement: nothing here shows a change.'] : [];
  return frame(
    {
      name: content.name,
      title: content.title,
      subtitle: content.subtitle,
      notes: [...single, ...(long === null ? [] : [long]), ...content.notes],
      get table() {
        return tableOf(content, series);
      },
      empty: series.length === 0 ? content.empty : null,
      heightOf: (width) => Math.round(Math.max(240, Math.min(380, width * 0.5))) + X_AXIS_ROOM,
      draw: (box, theme) => drawXy(withLeast(content, options.yLeast), drawn, box, theme),
    },
    options,
  );
}

const endsOf = (scale: ScaleLinear<number, number>): readonly [number, number] => {
  const [low = 0, high = 1] = scale.domain();
  return [low, high];
};

const withLeast = (content: XyContent, least: FigureOptions['yLeast'] = [0, 0]): XyContent =>
  least[0] === least[1]
    ? content
    : { ...content, y: { ...content.y, include: [...(content.y.include ?? []), ...least] } };

const hasInterval = ({ low, high }: XyPoint): boolean => typeof low === 'number' && typeof high === 'number';

function tableOf({ x }: XyContent, series: readonly XySeries[]): Figure['table'] {
  const withIntervals = series.some(({ points }) => points.some(hasInterval));
  return {
    columns: ['Series', x.label, 'Value', ...(withIntervals ? ['Low', 'High'] : [])],
    rows: series.flatMap(({ name, points }) =>
      points.map(({ x: at, y, low, high }): TableCell[] => [
        name,
        at,
        y,
        ...(withIntervals ? [low ?? null, high ?? null] : []),
      ]),
    ),
  };
}

type Scales = { x: ScaleLinear<number, number>; y: ScaleLinear<number, number>; plot: Box };

function scalesIn(
  { x, y, levels = [] }: XyContent,
  series: readonly Styled[],
  box: Box,
  labels: number,
): Scales {
  const points = series.flatMap((one) => one.points);
  const ys = [
    ...points.flatMap(({ y: at, low, high }) => [at, low ?? at, high ?? at]),
    ...levels.map((level) => level.y),
  ];
  const top = box.top + Y_LABEL_ROOM;
  const height = box.height - Y_LABEL_ROOM - X_AXIS_ROOM;
  const yScale = scaleOver(ys, y, [top + height, top], Y_TICKS);
  const left = box.left + tickRoom(ticksOf(yScale, Y_TICKS));
  const plot = { left, top, width: box.left + box.width - labels - left, height };
  const xScale = scaleOver(
    points.map((point) => point.x),
    x,
    [plot.left + 4, plot.left + plot.width - 4],
    8,
  );
  return { x: xScale, y: yScale, plot };
}

function drawXy(content: XyContent, series: readonly Styled[], box: Box, theme: Theme): Drawn {
  const lines = series.filter(({ isBars }) => isBars !== true);
  const names = lines.map(({ name }) => wrapText(name, SIZES.text, Math.max(90, box.width * 0.26)));
  const labelWidth = Math.max(0, ...names.flat().map((line) => textWidth(line, SIZES.text)));
  const scales = scalesIn(content, series, box, Math.ceil(labelWidth) + 14);
  const { plot } = scales;
  const points = lines.flatMap((one) =>
    one.points.map((point) => pointText(content, one.name, point, scales)),
  );
  return {
    points: points.toSorted((a, b) => a.x - b.x || a.y - b.y),
    // Of one point alone the axis is a guess that the next one corrects.
    ...(series.some((one) => one.points.length > 1) ? { yShown: endsOf(scales.y) } : {}),
    nodes: [
      ...stretchNodes(content.stretches ?? [], scales, theme),
      ...yAxis(scales.y, plot, content.y.label, theme),
      ...xAxis(scales.x, plot, content.x, theme),
      ...(content.hasDiagonal === true ? [diagonalNode(scales, theme)] : []),
      ...(content.levels ?? []).flatMap((level) => levelNodes(level, scales, theme)),
      ...series.flatMap((one) => seriesNodes(one, markEvery(one, lines), scales, theme)),
      ...(content.levels ?? []).map((level) => levelLabel(level, scales, theme)),
      ...endLabels(lines, names, scales, theme),
    ],
  };
}

function pointText({ x, y }: XyContent, name: string, point: XyPoint, scales: Scales): FigurePoint {
  const interval = hasInterval(point)
    ? ` (${formatNumber(point.low ?? 0)} to ${formatNumber(point.high ?? 0)})`
    : '';
  const place = `${x.label} ${formatNumber(point.x)}`;
  return {
    x: px(scales.x(point.x)),
    y: px(scales.y(point.y)),
    text:
      point.text ??
      `${name}. ${place}: ${y.label} ${formatNumber(point.y)}${interval}${point.label === undefined ? '' : `, ${point.label}`}`,
  };
}

/** Of several long lines every so many points have a mark: they tell the lines apart, and hide none. */
function markEvery({ points }: Styled, lines: readonly Styled[]): number {
  const all = lines.reduce((sum, one) => sum + one.points.length, 0);
  if (lines.length > 1 && all > MARKS_MAX * 2) return Math.ceil(points.length / LONG_MARKS);
  return points.length > MARKS_MAX ? 0 : 1;
}

function seriesNodes(
  { name, colour, style, points, isJoined = true, isBars }: Styled,
  every: number,
  { x, y }: Scales,
  theme: Theme,
): SvgNode[] {
  const ink = theme.colours[colour];
  if (isBars === true) return barsOf(name, points, { x, y }, theme);
  const d = points
    .map((point, index) => `${index === 0 ? 'M' : 'L'}${String(px(x(point.x)))} ${String(px(y(point.y)))}`)
    .join('');
  const line = el('path', {
    d,
    fill: 'none',
    stroke: ink,
    'stroke-width': 2,
    'stroke-linejoin': 'round',
    'stroke-dasharray': DASHES[style % DASHES.length] || 'none',
  });
  const size = every === 0 ? 0 : 3.2;
  const hasMark = (index: number): boolean => (points.length - 1 - index) % every === 0;
  const mark = MARKS[style % MARKS.length] ?? 'circle';
  return [
    ...(every === 1 ? [] : bandNode(points, [x, y], ink)),
    ...(isJoined && points.length > 1 ? [line] : []),
    ...points.flatMap((point, index) => [
      ...(hasInterval(point) && every === 1
        ? [whiskerNode([y(point.low ?? 0), y(point.high ?? 0)], x(point.x), true, ink)]
        : []),
      ...(size === 0 || !hasMark(index)
        ? []
        : [
            markNode(mark, x(point.x), y(point.y), size, {
              fill: point.isHollow === true ? theme.halo : ink,
              ...(point.isHollow === true ? { stroke: ink, 'stroke-width': 1.5 } : {}),
              class: 'mark',
              ...dataOf(name, point),
            }),
          ]),
      ...(point.label === undefined
        ? []
        : [
            textNode(point.label, x(point.x) + 6, y(point.y) - 8, {
              'font-size': SIZES.small,
              fill: theme.ink,
              ...halo(theme),
            }),
          ]),
    ]),
  ];
}

const BAR_MAX = 18;

function barsOf(
  name: string,
  points: readonly XyPoint[],
  { x, y }: Pick<Scales, 'x' | 'y'>,
  theme: Theme,
): SvgNode[] {
  const step = Math.abs(x(1) - x(0));
  const width = Math.max(1, Math.min(BAR_MAX, step * 0.7));
  return points.map((point) =>
    el('rect', {
      x: px(x(point.x) - width / 2),
      y: px(Math.min(y(0), y(point.y))),
      width: px(width),
      height: px(Math.max(1, Math.abs(y(point.y) - y(0)))),
      fill: theme.colours[point.y < 0 ? 'error' : 'ok'],
      'fill-opacity': 0.6,
      class: 'mark',
      ...dataOf(name, point),
    }),
  );
}

const dataOf = (name: string, { x, y }: XyPoint): Record<string, string | number> => ({
  'data-series': name,
  'data-x': x,
  'data-y': y,
});

/** Names stand at the ends of their lines, moved apart where the ends meet. */
function endLabels(
  series: readonly Styled[],
  names: readonly string[][],
  { x, y, plot }: Scales,
  theme: Theme,
): SvgNode[] {
  const ends = series.map(({ points }) => points.reduce((last, point) => (point.x >= last.x ? point : last)));
  const tallest = Math.max(...names.map((lines) => lines.length));
  const wanted = ends.map((end) => y(end.y));
  const placed = spread(wanted, tallest * LABEL_LINE + 2, [plot.top + 4, plot.top + plot.height - 4]);
  const left = plot.left + plot.width + 10;
  return series.flatMap((one, index) => {
    const lines = names[index] ?? [];
    const [end, at] = [ends[index], placed[index] ?? 0];
    const fill = theme.colours[one.colour];
    const isMoved =
      end !== undefined && (Math.abs(at - y(end.y)) > 6 || x(end.x) < plot.left + plot.width - 12);
    const leader =
      isMoved && end !== undefined
        ? [
            el('path', {
              d: `M${String(px(x(end.x) + 5))} ${String(px(y(end.y)))}L${String(px(left - 3))} ${String(px(at))}`,
              stroke: fill,
              'stroke-width': 0.75,
              // Dotted: it leads to a name, and is no measurement.
              'stroke-dasharray': '1 3',
              fill: 'none',
            }),
          ]
        : [];
    const first = at - ((lines.length - 1) * LABEL_LINE) / 2 + 4;
    return [
      ...leader,
      ...lines.map((line, row) =>
        textNode(line, left, first + row * LABEL_LINE, { fill, 'font-weight': 700 }),
      ),
    ];
  });
}

/** Over the lines that cross it. */
const levelLabel = ({ y: at, label }: Level, { y, plot }: Scales, theme: Theme): SvgNode =>
  textNode(label, plot.left + 4, px(y(at)) - 4, {
    'font-size': SIZES.small,
    fill: theme.quiet,
    ...halo(theme),
  });

function levelNodes({ y: at }: Level, { y, plot }: Scales, theme: Theme): SvgNode[] {
  const height = px(y(at));
  return [
    el('line', {
      x1: plot.left,
      x2: px(plot.left + plot.width),
      y1: height,
      y2: height,
      stroke: theme.quiet,
      'stroke-width': 1,
      'stroke-dasharray': '1 3',
      class: 'level',
      'data-y': at,
    }),
  ];
}

/** Keeps words readable over lines. */
const halo = ({ halo: stroke }: Theme): Record<string, string | number> => ({
  stroke,
  'stroke-width': 4,
  'stroke-linejoin': 'round',
  'paint-order': 'stroke',
});

/** Phases: a name above each stretch and a line between them. */
function stretchNodes(stretches: readonly Stretch[], { x, plot }: Scales, theme: Theme): SvgNode[] {
  return stretches.flatMap(({ from, to, label }, index) => {
    const [left, right] = [px(x(from)), px(x(to))];
    const isWide = textWidth(label, SIZES.small) < right - left - 4;
    return [
      el('rect', {
        x: left,
        y: plot.top,
        width: px(Math.max(0, right - left)),
        height: plot.height,
        fill: theme.axis,
        'fill-opacity': index % 2 === 0 ? 0.1 : 0,
        class: 'stretch',
      }),
      ...(isWide
        ? [
            textNode(label, (left + right) / 2, plot.top + 13, {
              'text-anchor': 'middle',
              'font-size': SIZES.small,
              fill: theme.quiet,
            }),
          ]
        : []),
    ];
  });
}

function diagonalNode({ x, y }: Scales, theme: Theme): SvgNode {
  const [low = 0, high = 1] = x.domain();
  return el('line', {
    x1: px(x(low)),
    y1: px(y(low)),
    x2: px(x(high)),
    y2: px(y(high)),
    stroke: theme.axis,
    'stroke-dasharray': '4 4',
  });
}
