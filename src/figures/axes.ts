// Axes: their scales and ticks are d3's, the drawing is ours.
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { textNode, type Box } from './frame.ts';
import { el, px, type SvgNode } from './scene.ts';
import { textWidth, wrapText } from './text.ts';
import { SIZES, type Theme } from './theme.ts';

export type Axis = {
  /** With its unit. */
  label: string;
  /** Values the axis shows at least. */
  include?: readonly number[];
  /** Ends exactly here: a share ends at 100 %. */
  domain?: readonly [number, number];
  isInteger?: boolean;
};

/** A scale over what is drawn, rounded outwards to ticks. One value alone gets room on both sides. */
export function scaleOver(
  values: readonly number[],
  { include = [], domain, isInteger = false }: Axis,
  range: readonly [number, number],
  ticks: number,
): ScaleLinear<number, number> {
  if (domain !== undefined) return scaleLinear([...domain], [...range]);
  const all = [...values, ...include];
  const low = Math.min(...all);
  const high = Math.max(...all);
  if (all.length === 0) return scaleLinear([0, 1], [...range]);
  if (low === high) {
    const room = isInteger ? 1 : Math.abs(low) * 0.5 || 1;
    return scaleLinear([low - room, high + room], [...range]);
  }
  return scaleLinear([low, high], [...range]).nice(ticks);
}

export function ticksOf(
  scale: ScaleLinear<number, number>,
  count: number,
  isInteger = false,
): { value: number; text: string }[] {
  const write = scale.tickFormat(count);
  return scale
    .ticks(count)
    .filter((value) => !isInteger || Number.isInteger(value))
    .map((value) => ({ value, text: isInteger ? String(value).replace('-', '−') : write(value) }));
}

export const Y_TICKS = 5;
export const xTickCount = (width: number): number => Math.max(2, Math.min(10, Math.floor(width / 70)));

/** The room that the labels of an upright axis take. */
export const tickRoom = (ticks: readonly { text: string }[]): number =>
  Math.ceil(Math.max(0, ...ticks.map(({ text }) => textWidth(text, SIZES.small)))) + 8;

/** Lines across the plot at each tick, with its number to the left; zero is drawn stronger. */
export function yAxis(scale: ScaleLinear<number, number>, plot: Box, label: string, theme: Theme): SvgNode[] {
  const ticks = ticksOf(scale, Y_TICKS);
  return [
    textNode(label, plot.left - tickRoom(ticks), plot.top - 10, {
      fill: theme.quiet,
      'font-size': SIZES.small,
    }),
    ...ticks.map(({ value, text }) => {
      const y = px(scale(value));
      return el('g', { class: 'y-tick', 'data-value': value }, [
        el('line', {
          x1: plot.left,
          x2: px(plot.left + plot.width),
          y1: y,
          y2: y,
          stroke: value === 0 ? theme.axis : theme.grid,
          'stroke-width': 1,
        }),
        textNode(text, plot.left - 6, y + 4, {
          'text-anchor': 'end',
          'font-size': SIZES.small,
          fill: theme.quiet,
        }),
      ]);
    }),
  ];
}

/** A line below the plot with its ticks, and what they count. */
export function xAxis(
  scale: ScaleLinear<number, number>,
  plot: Box,
  { label, isInteger = false }: Axis,
  theme: Theme,
): SvgNode[] {
  const bottom = px(plot.top + plot.height);
  return [
    el('line', {
      x1: plot.left,
      x2: px(plot.left + plot.width),
      y1: bottom,
      y2: bottom,
      stroke: theme.axis,
    }),
    ...ticksOf(scale, xTickCount(plot.width), isInteger).map(({ value, text }) => {
      const x = px(scale(value));
      return el('g', { class: 'x-tick', 'data-value': value }, [
        el('line', { x1: x, x2: x, y1: bottom, y2: bottom + 4, stroke: theme.axis }),
        textNode(text, x, bottom + 17, {
          'text-anchor': 'middle',
          'font-size': SIZES.small,
          fill: theme.quiet,
        }),
      ]);
    }),
    textNode(label, plot.left + plot.width / 2, bottom + 34, {
      'text-anchor': 'middle',
      'font-size': SIZES.small,
      fill: theme.quiet,
    }),
  ];
}

/** The name of each category below its stretch, in two lines at most; a range that is too wide breaks behind its dash. */
export function categoryAxis(
  categories: readonly string[],
  label: string,
  plot: Box,
  theme: Theme,
): SvgNode[] {
  const step = plot.width / categories.length;
  const bottom = plot.top + plot.height;
  const style = { 'text-anchor': 'middle', 'font-size': SIZES.small, fill: theme.quiet };
  return [
    ...categories.flatMap((category, index) => {
      const isWide = textWidth(category, SIZES.small) > step - 6;
      return wrapText(isWide ? category.replace('–', '– ') : category, SIZES.small, step - 6)
        .slice(0, 2)
        .map((line, row) => textNode(line, plot.left + (index + 0.5) * step, bottom + 15 + row * 12, style));
    }),
    textNode(label, plot.left + plot.width / 2, bottom + 39, style),
  ];
}

/** Below a plot: ticks and the label of the axis. */
export const X_AXIS_ROOM = 40;
/** Above a plot: the label of the upright axis. */
export const Y_LABEL_ROOM = 26;
