// One line of text for each thing, and beside it a number with its interval, or segments that add up.
import type { ScaleLinear } from 'd3-scale';
import { scaleOver, X_AXIS_ROOM, xAxis, xTickCount, type Axis } from './axes.ts';
import { frame, textNode, type Box, type Drawn, type FigureOptions } from './frame.ts';
import { barNodes, markNode, whiskerNode } from './marks.ts';
import { el, px, type Figure, type FigurePoint, type SvgNode, type TableCell } from './scene.ts';
import { formatNumber, textWidth, wrapText } from './text.ts';
import { MARKS, SERIES_COLOURS, SIZES, type ColourName, type Theme } from './theme.ts';

export type Segment = { name: string; value: number; colour?: ColourName };
export type Row = {
  label: string;
  /** Where there is no number, the line says so. */
  value: number | null;
  low?: number | null | undefined;
  high?: number | null | undefined;
  /** Behind the number: n, or what is missing. */
  note?: string;
  colour?: ColourName;
  /** They add up to `value`; with segments the row is a bar. */
  segments?: readonly Segment[];
};

export type RowContent = {
  name: string;
  title: string;
  subtitle: string;
  notes: readonly string[];
  x: Axis;
  /** `dot`: the number matters; `bar`: its distance from zero does. */
  shape: 'dot' | 'bar';
  rows: readonly Row[];
  /** An upright line with its name: no difference, untrained. */
  level?: { x: number; label: string };
  empty: string;
};

const ROW = 34;
const LABEL_LINE = 14;
const END_LINE = 13;
const LEVEL_ROOM = 18;
const LEGEND_LINE = 20;

export function rowChart(content: RowContent, options: FigureOptions): Figure {
  const hasNumbers = content.rows.some(({ value }) => value !== null);
  const names = segmentNames(content.rows);
  return frame(
    {
      name: content.name,
      title: content.title,
      subtitle: content.subtitle,
      notes: content.notes,
      table: tableOf(content.rows, names),
      empty: hasNumbers ? null : content.empty,
      heightOf: (width) =>
        legendRows(names, width).length * LEGEND_LINE +
        (content.level === undefined ? 4 : LEVEL_ROOM) +
        content.rows.length * rowHeight(content.rows, width) +
        X_AXIS_ROOM,
      draw: (box, theme) => drawRows(content, names, box, theme),
    },
    options,
  );
}

const isInterval = (row: Row): row is Row & { low: number; high: number } =>
  typeof row.low === 'number' && typeof row.high === 'number';

const segmentNames = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ segments = [] }) => segments.map(({ name }) => name))),
];

function tableOf(rows: readonly Row[], names: readonly string[]): Figure['table'] {
  const withIntervals = rows.some(isInterval);
  const withNotes = rows.some(({ note }) => note !== undefined);
  return {
    columns: [
      '',
      'Value',
      ...(withIntervals ? ['Low', 'High'] : []),
      ...names,
      ...(withNotes ? ['Note'] : []),
    ],
    rows: rows.map((row): TableCell[] => [
      row.label,
      row.value,
      ...(withIntervals ? [row.low ?? null, row.high ?? null] : []),
      ...names.map((name) => row.segments?.find((one) => one.name === name)?.value ?? null),
      ...(withNotes ? [row.note ?? ''] : []),
    ]),
  };
}

function legendRows(
  names: readonly string[],
  width: number,
): { name: string; index: number; left: number }[][] {
  if (names.length === 0) return [];
  const rows: { name: string; index: number; left: number }[][] = [[]];
  let left = 0;
  for (const [index, name] of names.entries()) {
    const wide = textWidth(name, SIZES.text) + 34;
    if (left > 0 && left + wide > width) {
      rows.push([]);
      left = 0;
    }
    rows.at(-1)?.push({ name, index, left });
    left += wide;
  }
  return rows;
}

const segmentColour = (rows: readonly Row[], name: string, index: number): ColourName =>
  rows.flatMap(({ segments = [] }) => segments).find((one) => one.name === name)?.colour ??
  SERIES_COLOURS[index % SERIES_COLOURS.length] ??
  'agent';

/** What stands behind the mark of a row. */
const endText = (row: Row): string =>
  [row.value === null ? 'no figure' : formatNumber(row.value), row.note].filter(Boolean).join(', ');

/** What of the width stands behind the marks. */
const endRoomOf = (rows: readonly Row[], width: number): number =>
  Math.min(width * 0.34, Math.max(...rows.map((row) => textWidth(endText(row), SIZES.small))) + 12);

const endLines = (row: Row, room: number): string[] => wrapText(endText(row), SIZES.small, room - 10);

function rowHeight(rows: readonly Row[], width: number): number {
  const room = endRoomOf(rows, width);
  return Math.max(ROW, ...rows.map((row) => endLines(row, room).length * END_LINE + 8));
}

function drawRows(content: RowContent, names: readonly string[], box: Box, theme: Theme): Drawn {
  const { rows, level } = content;
  const legend = legendRows(names, box.width);
  const labelRoom = Math.min(
    box.width * 0.34,
    Math.max(...rows.map(({ label }) => textWidth(label, SIZES.text))) + 12,
  );
  const endRoom = endRoomOf(rows, box.width);
  const height = rowHeight(rows, box.width);
  const top = box.top + legend.length * LEGEND_LINE + (level === undefined ? 4 : LEVEL_ROOM);
  const plot = {
    left: box.left + labelRoom,
    top,
    width: box.width - labelRoom - endRoom,
    height: rows.length * height,
  };
  const ends = rows.flatMap((row) => [
    row.value ?? 0,
    row.low ?? row.value ?? 0,
    row.high ?? row.value ?? 0,
    ...stackEnds(row),
  ]);
  const include = [...(content.shape === 'bar' ? [0] : []), ...(level === undefined ? [] : [level.x])];
  const numbers =
    rows.some(({ value }) => value === null) && include.length === 0 ? ends.filter((end) => end !== 0) : ends;
  const x = scaleOver(
    numbers,
    { ...content.x, include: [...include, ...(content.x.include ?? [])] },
    [plot.left, plot.left + plot.width],
    xTickCount(plot.width),
  );
  const drawn = rows.map((row, index) => drawRow({ row, index, content, names, endRoom }, x, plot, theme));
  return {
    points: drawn.flatMap(({ points }) => points),
    nodes: [
      ...legend.flatMap((line, at) =>
        line.flatMap(({ name, index, left }) => [
          ...barNodes(
            { x: box.left + left, y: box.top + at * LEGEND_LINE + 2, width: 14, height: 12 },
            index,
            theme.colours[segmentColour(rows, name, index)],
            { class: 'key' },
          ),
          textNode(name, box.left + left + 20, box.top + at * LEGEND_LINE + 12, { fill: theme.ink }),
        ]),
      ),
      ...xAxis(x, plot, content.x, theme),
      ...(level === undefined ? [] : levelNodes(level, x, plot, theme)),
      ...drawn.flatMap(({ nodes }) => nodes),
    ],
  };
}

/** How far segments reach on either side of zero. */
const stackEnds = ({ segments = [] }: Row): number[] => [
  segments.reduce((sum, { value }) => sum + Math.max(0, value), 0),
  segments.reduce((sum, { value }) => sum + Math.min(0, value), 0),
];

function drawRow(
  {
    row,
    index,
    content,
    names,
    endRoom,
  }: { row: Row; index: number; content: RowContent; names: readonly string[]; endRoom: number },
  x: ScaleLinear<number, number>,
  plot: Box,
  theme: Theme,
): { nodes: SvgNode[]; points: FigurePoint[] } {
  const middle = plot.top + ((index + 0.5) * plot.height) / content.rows.length;
  const ink = theme.colours[row.colour ?? 'agent'];
  const nodes = labelNodes(row, plot, middle, theme);
  const interval = isInterval(row) ? ` (${formatNumber(row.low)} to ${formatNumber(row.high)})` : '';
  const reach = Math.max(
    x(row.value ?? 0),
    isInterval(row) ? x(row.high) : 0,
    ...stackEnds(row).map((end) => x(end)),
  );
  const left = Math.max(row.value === null ? plot.left : 0, reach) + 8;
  nodes.push(...endNodes(row, { left, right: plot.left + plot.width + endRoom, endRoom, middle }, theme));
  if (row.value === null) return { nodes, points: [] };
  const data = { class: 'mark', 'data-series': row.label, 'data-x': row.value, 'data-y': row.label };
  if (row.segments !== undefined) {
    nodes.push(...segmentNodes(row, names, content.rows, middle, x, theme));
    // Parts on both sides of zero: where they come to is on no edge of a bar.
    if (stackEnds(row).every((end) => end !== 0))
      nodes.push(markNode('diamond', x(row.value), middle, 5, { fill: theme.halo, stroke: theme.ink }));
  } else if (content.shape === 'bar') {
    const from = x(Math.max(0, x.domain()[0] ?? 0));
    const at = x(row.value);
    nodes.push(
      ...barNodes(
        { x: Math.min(from, at), y: middle - 8, width: Math.abs(at - from), height: 16 },
        0,
        ink,
        data,
      ),
    );
  } else {
    nodes.push(markNode(MARKS[0], x(row.value), middle, 5, { fill: ink, ...data }));
  }
  if (isInterval(row))
    nodes.push(
      whiskerNode([x(row.low), x(row.high)], middle, false, content.shape === 'bar' ? theme.ink : ink),
    );
  const parts = (row.segments ?? []).map(({ name, value }) => `, ${name} ${formatNumber(value)}`).join('');
  const note = row.note === undefined || row.note === '' ? '' : `, ${row.note}`;
  const text = `${row.label}: ${content.x.label} ${formatNumber(row.value)}${interval}${parts}${note}`;
  return { nodes, points: [{ x: px(x(row.value)), y: px(middle), text }] };
}

function labelNodes({ label }: Row, plot: Box, middle: number, theme: Theme): SvgNode[] {
  const lines = wrapText(label, SIZES.text, plot.left - 20);
  return lines.map((line, at) =>
    textNode(line, plot.left - 12, middle + 4 + (at - (lines.length - 1) / 2) * LABEL_LINE, {
      'text-anchor': 'end',
      fill: theme.ink,
    }),
  );
}

/** What is said of a row behind its mark, in as many lines as it takes. */
function endNodes(
  row: Row,
  { left, right, endRoom, middle }: { left: number; right: number; endRoom: number; middle: number },
  theme: Theme,
): SvgNode[] {
  const lines = endLines(row, Math.max(endRoom, right - left));
  return lines.map((line, at) =>
    textNode(line, left, middle + 4 + (at - (lines.length - 1) / 2) * END_LINE, {
      'font-size': SIZES.small,
      fill: theme.quiet,
    }),
  );
}

function segmentNodes(
  { label, segments = [] }: Row,
  names: readonly string[],
  rows: readonly Row[],
  middle: number,
  x: ScaleLinear<number, number>,
  theme: Theme,
): SvgNode[] {
  let [above, below] = [0, 0];
  return segments.flatMap(({ name, value }) => {
    const from = value < 0 ? below : above;
    const to = from + value;
    if (value < 0) below = to;
    else above = to;
    const index = names.indexOf(name);
    const bar = { x: Math.min(x(from), x(to)), y: middle - 9, width: Math.abs(x(to) - x(from)), height: 18 };
    const data = { class: 'segment', 'data-series': name, 'data-x': value, 'data-y': label };
    return barNodes(bar, index, theme.colours[segmentColour(rows, name, index)], data);
  });
}

function levelNodes(
  { x: at, label }: { x: number; label: string },
  x: ScaleLinear<number, number>,
  { left, top, width, height }: Box,
  theme: Theme,
): SvgNode[] {
  const place = px(x(at));
  const half = textWidth(label, SIZES.small) / 2;
  return [
    el('line', {
      x1: place,
      x2: place,
      y1: px(top),
      y2: px(top + height),
      stroke: theme.axis,
      class: 'level',
      'data-x': at,
    }),
    textNode(label, Math.max(left + half - 20, Math.min(left + width - half + 20, place)), top - 6, {
      'text-anchor': 'middle',
      'font-size': SIZES.small,
      fill: theme.quiet,
    }),
  ];
}
