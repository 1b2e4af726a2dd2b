// The other engine: a line of text for each thing, and beside it a number with its interval, or parts that add up.
import { scaleOver, X_AXIS_ROOM, xAxis, xTickCount, type Axis } from './axes.ts';
import { drawingOf, textNode, type Box, type ChartWords, type Drawing, type Drawn } from './frame.ts';
import { barNodes, legendHeight, legendNodes, markNode, whiskerNode, type LegendEntry } from './marks.ts';
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
import { SERIES_COLOURS, SIZES, type ColourName, type Theme } from './theme.ts';

export type Row = Bounds & {
  label: string;
  /** Where there is no number, the line says so. */
  value: number | null;
  /** Behind the number: n, or what is missing. */
  note?: string;
  colour?: ColourName;
  /** Parts that add up to `value`, in a bar. */
  parts?: readonly { name: string; value: number; colour?: ColourName }[];
};

type RowsContent = ChartWords & {
  x: Axis;
  /** `dot`: the number matters; `bar`: its distance from zero does. */
  shape: 'dot' | 'bar';
  rows: readonly Row[];
  /** An upright line with its name: no difference. */
  level?: { x: number; label: string };
};

const ROW = 34;
const LABEL_LINE = 14;
const END_LINE = 13;
const LEVEL_ROOM = 18;

export function rowChart(content: RowsContent): Drawing {
  const { rows, level } = content;
  const legend = legendOf(rows);
  return drawingOf({
    ...content,
    isEmpty: rows.every(({ value }) => value === null),
    table: () => tableOf(rows, legend),
    heightOf: (width) =>
      legendHeight(legend, width) +
      (level === undefined ? 4 : LEVEL_ROOM) +
      rows.length * rowHeight(rows, width) +
      X_AXIS_ROOM,
    draw: (box, theme) => drawRows(content, legend, box, theme),
  });
}

function legendOf(rows: readonly Row[]): LegendEntry[] {
  const parts = rows.flatMap((row) => row.parts ?? []);
  return [...new Map(parts.map((part) => [part.name, part])).values()].map(({ name, colour }, index) => ({
    name,
    colour: colour ?? SERIES_COLOURS[index % SERIES_COLOURS.length] ?? 'agent',
  }));
}

function tableOf(rows: readonly Row[], legend: readonly LegendEntry[]): FigureTable {
  const withIntervals = rows.some(isBounded);
  const withNotes = rows.some(({ note }) => note !== undefined);
  return {
    columns: [
      '',
      'Value',
      ...(withIntervals ? ['Low', 'High'] : []),
      ...legend.map(({ name }) => name),
      ...(withNotes ? ['Note'] : []),
    ],
    rows: rows.map(({ label, value, low, high, parts, note }): TableCell[] => [
      label,
      value,
      ...(withIntervals ? [low ?? null, high ?? null] : []),
      ...legend.map(({ name }) => parts?.find((part) => part.name === name)?.value ?? null),
      ...(withNotes ? [note ?? ''] : []),
    ]),
  };
}

/** The text behind the mark of a row. */
const endText = ({ value, note }: Row): string =>
  [value === null ? 'no figure' : formatNumber(value), note].filter(Boolean).join(', ');

/** The width of a column of texts, at most a third of the whole. */
const roomOf = (texts: readonly string[], size: number, width: number): number =>
  Math.min(width * 0.34, Math.max(...texts.map((text) => textWidth(text, size))) + 12);

const endRoomOf = (rows: readonly Row[], width: number): number =>
  roomOf(rows.map(endText), SIZES.small, width);

const endLines = (row: Row, room: number): string[] => wrapText(endText(row), SIZES.small, room - 10);

function rowHeight(rows: readonly Row[], width: number): number {
  const room = endRoomOf(rows, width);
  return Math.max(ROW, ...rows.map((row) => endLines(row, room).length * END_LINE + 8));
}

/** The reach of a row's parts on either side of zero. */
const reachOf = ({ parts = [] }: Row): [above: number, below: number] => [
  parts.reduce((sum, { value }) => sum + Math.max(0, value), 0),
  parts.reduce((sum, { value }) => sum + Math.min(0, value), 0),
];

type Rows = {
  content: RowsContent;
  legend: readonly LegendEntry[];
  plot: Box;
  x: (value: number) => number;
  /** Where bars begin. */
  zero: number;
  endRoom: number;
  theme: Theme;
};

function drawRows(content: RowsContent, legend: readonly LegendEntry[], box: Box, theme: Theme): Drawn {
  const { rows, level, shape } = content;
  const labels = rows.map(({ label }) => label);
  const labelRoom = roomOf(labels, SIZES.text, box.width);
  const endRoom = endRoomOf(rows, box.width);
  const plot = {
    left: box.left + labelRoom,
    top: box.top + legendHeight(legend, box.width) + (level === undefined ? 4 : LEVEL_ROOM),
    width: box.width - labelRoom - endRoom,
    height: rows.length * rowHeight(rows, box.width),
  };
  const ends = rows.flatMap((row) =>
    row.value === null ? [] : [row.value, row.low ?? row.value, row.high ?? row.value, ...reachOf(row)],
  );
  const shown = [...(shape === 'bar' ? [0] : []), ...(level === undefined ? [] : [level.x])];
  const x = scaleOver(
    [...ends, ...shown],
    content.x,
    [plot.left, plot.left + plot.width],
    xTickCount(plot.width),
  );
  const zero = x(Math.max(0, x.domain()[0] ?? 0));
  const drawn = rows.map((row, index) =>
    drawRow(row, index, { content, legend, plot, x, zero, endRoom, theme }),
  );
  return {
    points: drawn.flatMap(({ point }) => point),
    nodes: [
      ...legendNodes(legend, box, theme),
      ...xAxis(x, plot, content.x, theme),
      ...(level === undefined ? [] : levelNodes(level, x(level.x), plot, theme)),
      ...drawn.flatMap(({ nodes }) => nodes),
    ],
  };
}

function drawRow(row: Row, index: number, rows: Rows): { nodes: SvgNode[]; point: FigurePoint[] } {
  const { content, plot, x, endRoom, theme } = rows;
  const { label, value, parts = [], note = '' } = row;
  const middle = plot.top + ((index + 0.5) * plot.height) / content.rows.length;
  const right = plot.left + plot.width + endRoom;
  const names = linesNodes(wrapText(label, SIZES.text, plot.left - 20), plot.left - 12, middle, LABEL_LINE, {
    'text-anchor': 'end',
    fill: theme.ink,
  });
  const reach =
    value === null
      ? plot.left
      : Math.max(...[value, row.high ?? value, ...reachOf(row)].map((end) => x(end)));
  const behind = linesNodes(
    endLines(row, Math.max(endRoom, right - reach - 8)),
    reach + 8,
    middle,
    END_LINE,
    {
      'font-size': SIZES.small,
      fill: theme.quiet,
    },
  );
  if (value === null) return { nodes: [...names, ...behind], point: [] };
  const interval = isBounded(row) ? ` (${formatNumber(row.low)} to ${formatNumber(row.high)})` : '';
  const told = parts.map((part) => `, ${part.name} ${formatNumber(part.value)}`).join('');
  const text = `${label}: ${content.x.label} ${formatNumber(value)}${interval}${told}${note === '' ? '' : `, ${note}`}`;
  return {
    nodes: [...names, ...behind, ...markNodes({ ...row, value }, middle, rows)],
    point: [{ x: px(x(value)), y: px(middle), text }],
  };
}

/** Lines of text around a height. */
const linesNodes = (
  lines: readonly string[],
  x: number,
  middle: number,
  step: number,
  attributes: Readonly<Record<string, string | number>>,
): SvgNode[] =>
  lines.map((line, at) => textNode(line, x, middle + 4 + (at - (lines.length - 1) / 2) * step, attributes));

function markNodes(row: Row & { value: number }, middle: number, rows: Rows): SvgNode[] {
  const { content, x, zero, theme } = rows;
  const { label, value, colour = 'agent' } = row;
  const ink = theme.colours[colour];
  const data = { class: 'mark', 'data-series': label, 'data-x': value, 'data-y': label };
  const whisker = (stroke: string): SvgNode[] =>
    isBounded(row) ? [whiskerNode([x(row.low), x(row.high)], middle, false, stroke)] : [];
  if (row.parts !== undefined) return partNodes(row, middle, rows);
  if (content.shape === 'dot')
    return [markNode('circle', x(value), middle, 5, { fill: ink, ...data }), ...whisker(ink)];
  const [left, width] = [Math.min(zero, x(value)), Math.abs(x(value) - zero)];
  return [...barNodes({ x: left, y: middle - 8, width, height: 16 }, 0, ink, data), ...whisker(theme.ink)];
}

/** Positive parts from zero to the right, negative ones to the left. */
function partNodes(row: Row & { value: number }, middle: number, { legend, x, theme }: Rows): SvgNode[] {
  let [above, below] = [0, 0];
  const bars = (row.parts ?? []).flatMap(({ name, value }) => {
    const from = value < 0 ? below : above;
    const to = from + value;
    if (value < 0) below = to;
    else above = to;
    const index = legend.findIndex((entry) => entry.name === name);
    const bar = { x: Math.min(x(from), x(to)), y: middle - 9, width: Math.abs(x(to) - x(from)), height: 18 };
    const data = { class: 'segment', 'data-series': name, 'data-x': value, 'data-y': row.label };
    return barNodes(bar, index, theme.colours[legend[index]?.colour ?? 'agent'], data);
  });
  // Parts on both sides of zero: where they come to is on no edge of a bar.
  const sum = markNode('diamond', x(row.value), middle, 5, { fill: theme.halo, stroke: theme.ink });
  return above !== 0 && below !== 0 ? [...bars, sum] : bars;
}

function levelNodes(
  level: { x: number; label: string },
  at: number,
  { left, top, width, height }: Box,
  theme: Theme,
): SvgNode[] {
  const place = px(at);
  const half = textWidth(level.label, SIZES.small) / 2;
  return [
    el('line', {
      x1: place,
      x2: place,
      y1: px(top),
      y2: px(top + height),
      stroke: theme.axis,
      class: 'level',
      'data-x': level.x,
    }),
    textNode(level.label, Math.max(left + half - 20, Math.min(left + width - half + 20, place)), top - 6, {
      'text-anchor': 'middle',
      'font-size': SIZES.small,
      fill: theme.quiet,
    }),
  ];
}
