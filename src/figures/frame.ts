// The frame of every figure: a title that is a sentence, what is measured, and notes below.
import { el, px, type Figure, type FigurePoint, type FigureTable, type SvgNode } from './scene.ts';
import { wrapText } from './text.ts';
import { FONT, SIZES, THEMES, type Theme, type ThemeName } from './theme.ts';

export type FigureOptions = {
  width: number;
  theme: ThemeName;
  /** What the upright axis of a curve shows at least: a live figure keeps what it has shown. */
  yLeast?: readonly [number, number] | undefined;
  /** False where the notes stand as text beside the figure. */
  hasNotes?: boolean;
};
export type Box = { left: number; top: number; width: number; height: number };
export type Drawn = {
  nodes: readonly SvgNode[];
  points: readonly FigurePoint[];
  yShown?: readonly [number, number];
};

/** The words of a chart, beside its axes. */
export type ChartWords = {
  /** A file name without its ending. */
  name: string;
  /** What it shows, as a sentence. */
  title: string;
  /** What a report calls it where its title is a whole result. */
  heading?: string;
  /** What is measured, of how many, with which interval. */
  subtitle: string;
  /** Empty ones are left out. */
  notes: readonly string[];
  /** Said where there is nothing to draw; left out by charts that are made of data alone. */
  empty?: string;
};

type ChartContent = ChartWords & {
  isEmpty: boolean;
  /** Of a long run it has thousands of rows: it is made when somebody asks for it. */
  table: () => FigureTable;
  heightOf: (width: number) => number;
  draw: (box: Box, theme: Theme, options: FigureOptions) => Drawn;
};

/** A chart with its data, for whoever only has to draw it. */
export type Drawing = Pick<ChartWords, 'name' | 'title' | 'heading'> & {
  draw: (options: FigureOptions) => Figure;
};

export const drawingOf = (content: ChartContent): Drawing => ({
  ...content,
  draw: (options) => frame(content, options),
});

const PADDING = 16;
const LINE = { title: 20, text: 17, small: 15 };
const EMPTY_HEIGHT = 90;
const WIDTH_MIN = 280;

export const textNode = (
  text: string,
  x: number,
  y: number,
  attributes: Readonly<Record<string, string | number>>,
): SvgNode => el('text', { x: px(x), y: px(y), 'font-size': SIZES.text, ...attributes }, [text]);

function frame(content: ChartContent, options: FigureOptions): Figure {
  const { name, title, isEmpty, empty = '' } = content;
  const theme: Theme = THEMES[options.theme];
  const notes = content.notes.filter((note) => note !== '');
  const width = Math.max(WIDTH_MIN, Math.round(options.width));
  const inner = width - 2 * PADDING;
  const lines: SvgNode[] = [];
  let y = PADDING;
  const write = (text: string, kind: keyof typeof LINE, fill: string): void => {
    const isTitle = kind === 'title';
    for (const line of wrapText(text, SIZES[kind], inner, isTitle)) {
      y += LINE[kind];
      const weight = isTitle ? { 'font-weight': 700 } : {};
      lines.push(textNode(line, PADDING, y - 5, { 'font-size': SIZES[kind], fill, ...weight }));
    }
  };
  write(title, 'title', theme.ink);
  write(content.subtitle, 'text', theme.quiet);
  y += 8;
  const box = {
    left: PADDING,
    top: y,
    width: inner,
    height: isEmpty ? EMPTY_HEIGHT : content.heightOf(inner),
  };
  const drawn: Drawn = isEmpty
    ? { nodes: emptyNodes(empty, box, theme), points: [] }
    : content.draw(box, theme, options);
  y += box.height + 6;
  for (const note of options.hasNotes === false ? [] : notes) write(note, 'small', theme.quiet);
  const height = Math.ceil(y + PADDING - 6);
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${String(width)} ${String(height)}`,
    'font-family': FONT,
    role: 'img',
    'aria-label': isEmpty ? `${title} ${empty}` : title,
  };
  const ground = theme.background === 'none' ? [] : [el('rect', { width, height, fill: theme.background })];
  return {
    name,
    title,
    width,
    height,
    points: drawn.points,
    yShown: drawn.yShown ?? null,
    get table() {
      return content.table();
    },
    notes,
    svg: el('svg', attributes, [...ground, ...lines, ...drawn.nodes]),
  };
}

function emptyNodes(sentence: string, { left, top, width, height }: Box, theme: Theme): SvgNode[] {
  const lines = wrapText(sentence, SIZES.text, width - 40);
  const first = top + height / 2 - ((lines.length - 1) * LINE.text) / 2 + 4;
  const style = { 'text-anchor': 'middle', fill: theme.quiet };
  return [
    el('rect', { x: left, y: px(top), width, height, fill: 'none', stroke: theme.grid, rx: 6 }),
    ...lines.map((line, index) => textNode(line, left + width / 2, first + index * LINE.text, style)),
  ];
}
