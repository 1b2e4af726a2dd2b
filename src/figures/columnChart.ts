// Upright bars side by side: a few categories, a few series, one number each.
import { scaleBand } from 'd3-scale';
import {
  scaleOver,
  tickRoom,
  ticksOf,
  X_AXIS_ROOM,
  Y_LABEL_ROOM,
  Y_TICKS,
  yAxis,
  type Axis,
} from './axes.ts';
import { frame, textNode, type Box, type Drawn, type FigureOptions } from './frame.ts';
import { barNodes, whiskerNode } from './marks.ts';
import { px, type Figure, type FigurePoint, type SvgNode, type TableCell } from './scene.ts';
import { formatNumber, textWidth, wrapText } from './text.ts';
import { SERIES_COLOURS, SIZES, type ColourName, type Theme } from './theme.ts';

export type ColumnValue = {
  value: number | null;
  low?: number | null | undefined;
  high?: number | null | undefined;
};
export type ColumnSeries = { name: string; colour?: ColourName; values: readonly ColumnValue[] };

export type ColumnContent = {
  name: string;
  title: string;
  subtitle: string;
  notes: readonly string[];
  /** What the categories are. */
  x: string;
  y: Axis;
  categories: readonly string[];
  /** One value for each category. */
  series: readonly ColumnSeries[];
  empty: string;
};

type Styled = ColumnSeries & { colour: ColourName };

const LEGEND_LINE = 20;

export function columnChart(content: ColumnContent, options: FigureOptions): Figure {
  const series = content.series.map((one, index): Styled => ({
    ...one,
    colour: one.colour ?? SERIES_COLOURS[index % SERIES_COLOURS.length] ?? 'agent',
  }));
  const numbers = series.flatMap(({ values }) =>
    values.flatMap(({ value }) => (value === null ? [] : [value])),
  );
  const rows = (width: number): number => legendRows(series, width).length;
  return frame(
    {
      name: content.name,
      title: content.title,
      subtitle: content.subtitle,
      notes: content.notes,
      table: tableOf(content),
      empty: numbers.length === 0 ? content.empty : null,
      heightOf: (width) =>
        Math.round(Math.max(240, Math.min(340, width * 0.45))) + X_AXIS_ROOM + rows(width) * LEGEND_LINE,
      draw: (box, theme) => drawColumns({ ...content, series }, box, theme),
    },
    options,
  );
}

function tableOf({ x, categories, series }: ColumnContent): Figure['table'] {
  const withIntervals = series.some(({ values }) => values.some(({ low }) => typeof low === 'number'));
  return {
    columns: [x, 'Series', 'Value', ...(withIntervals ? ['Low', 'High'] : [])],
    rows: categories.flatMap((category, index) =>
      series.map(({ name, values }): TableCell[] => {
        const { value = null, low = null, high = null } = values[index] ?? {};
        return [category, name, value, ...(withIntervals ? [low, high] : [])];
      }),
    ),
  };
}

type LegendEntry = { series: Styled; index: number; left: number };

function legendRows(series: readonly Styled[], width: number): LegendEntry[][] {
  if (series.length < 2) return [];
  const rows: LegendEntry[][] = [[]];
  let left = 0;
  for (const [index, one] of series.entries()) {
    const wide = textWidth(one.name, SIZES.text) + 34;
    if (left > 0 && left + wide > width) {
      rows.push([]);
      left = 0;
    }
    rows.at(-1)?.push({ series: one, index, left });
    left += wide;
  }
  return rows;
}

function drawColumns(
  content: Omit<ColumnContent, 'series'> & { series: readonly Styled[] },
  box: Box,
  theme: Theme,
): Drawn {
  const rows = legendRows(content.series, box.width);
  const legend = rows.flatMap((row, line) =>
    row.flatMap(({ series, index, left }) => {
      const [x, y] = [box.left + left, box.top + line * LEGEND_LINE];
      const ink = theme.colours[series.colour];
      return [
        ...barNodes({ x, y: y + 2, width: 14, height: 12 }, index, ink, { class: 'key' }),
        textNode(series.name, x + 20, y + 12, { fill: theme.ink }),
      ];
    }),
  );
  const top = box.top + rows.length * LEGEND_LINE + Y_LABEL_ROOM;
  const height = box.top + box.height - top - X_AXIS_ROOM;
  const values = content.series.flatMap((one) =>
    one.values.flatMap(({ value, low, high }) =>
      value === null ? [] : [value, low ?? value, high ?? value],
    ),
  );
  const y = scaleOver([...values, 0], content.y, [top + height, top], Y_TICKS);
  const left = box.left + tickRoom(ticksOf(y, Y_TICKS));
  const plot = { left, top, width: box.left + box.width - left, height };
  const outer = scaleBand([...content.categories], [left, left + plot.width])
    .paddingInner(0.25)
    .paddingOuter(0.12);
  const inner = scaleBand(
    content.series.map((_, index) => String(index)),
    [0, Math.min(outer.bandwidth(), 260)],
  ).padding(0.08);
  const shift = (outer.bandwidth() - Math.min(outer.bandwidth(), 260)) / 2;
  const drawn = content.categories.flatMap((category, at) =>
    content.series.flatMap((series, index) => {
      const value = series.values[at];
      if (value === undefined || value.value === null) return [];
      const x = (outer(category) ?? left) + shift + (inner(String(index)) ?? 0);
      const place = {
        x,
        width: inner.bandwidth(),
        from: y(Math.max(0, y.domain()[0] ?? 0)),
        at: y(value.value),
        isNumbered: fitsNumbers(content.series, inner.bandwidth()),
      };
      const column = { category, series, index, ...value, value: value.value };
      return [columnOf(column, place, y, content.y.label, theme)];
    }),
  );
  return {
    points: drawn.map(({ point }) => point),
    nodes: [
      ...legend,
      ...yAxis(y, plot, content.y.label, theme),
      ...drawn.flatMap(({ nodes }) => nodes),
      ...categoryLabels(content, outer, plot, theme),
    ],
  };
}

/** Numbers stand over all columns or over none: over some alone they would look chosen. */
const fitsNumbers = (series: readonly Styled[], width: number): boolean =>
  series
    .flatMap(({ values }) => values)
    .every(({ value }) => value === null || textWidth(formatNumber(value), SIZES.small) <= width + 8);

type ColumnPlace = { x: number; width: number; from: number; at: number; isNumbered: boolean };

function columnOf(
  {
    category,
    series,
    index,
    value,
    low,
    high,
  }: {
    category: string;
    series: Styled;
    index: number;
    value: number;
    low?: number | null | undefined;
    high?: number | null | undefined;
  },
  { x, width, from, at, isNumbered }: ColumnPlace,
  y: (value: number) => number,
  unit: string,
  theme: Theme,
): { nodes: SvgNode[]; point: FigurePoint } {
  const ink = theme.colours[series.colour];
  const data = { class: 'mark', 'data-series': series.name, 'data-x': category, 'data-y': value };
  const bar = { x, y: Math.min(from, at), width, height: Math.abs(from - at) };
  const isInterval = typeof low === 'number' && typeof high === 'number';
  const middle = x + width / 2;
  const text = formatNumber(value);
  const top = isInterval ? Math.min(y(high), at) : Math.min(at, from);
  const range = isInterval ? ` (${formatNumber(low)} to ${formatNumber(high)})` : '';
  return {
    nodes: [
      ...barNodes(bar, index, ink, data),
      ...(isInterval ? [whiskerNode([y(low), y(high)], middle, true, theme.ink)] : []),
      ...(isNumbered
        ? [
            textNode(text, middle, value < 0 ? Math.max(from, at) + 13 : top - 4, {
              'text-anchor': 'middle',
              'font-size': SIZES.small,
              fill: theme.ink,
            }),
          ]
        : []),
    ],
    point: { x: px(middle), y: px(at), text: `${series.name}, ${category}: ${unit} ${text}${range}` },
  };
}

/** A range that is too wide breaks behind its dash. */
const breakable = (category: string, width: number): string =>
  textWidth(category, SIZES.small) > width ? category.replace('–', '– ') : category;

function categoryLabels(
  { x, categories }: Pick<ColumnContent, 'x' | 'categories'>,
  band: (name: string) => number | undefined,
  plot: Box,
  theme: Theme,
): SvgNode[] {
  const step = plot.width / categories.length;
  const bottom = plot.top + plot.height;
  const style = { 'text-anchor': 'middle', 'font-size': SIZES.small, fill: theme.quiet };
  return [
    ...categories.flatMap((category) => {
      const middle = (band(category) ?? plot.left) + (step * 0.75) / 2;
      return wrapText(breakable(category, step - 6), SIZES.small, step - 6)
        .slice(0, 2)
        .map((line, row) => textNode(line, middle, bottom + 15 + row * 12, style));
    }),
    textNode(x, plot.left + plot.width / 2, bottom + 39, style),
  ];
}
