// What every figure has around its drawing: a title that is a sentence, what is measured, and notes below.
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

export type FrameContent = {
  name: string;
  title: string;
  /** What is measured, of how many, with which interval. */
  subtitle: string;
  notes: readonly string[];
  table: FigureTable;
  /** Null where there is something to draw. */
  empty: string | null;
  heightOf: (width: number) => number;
  draw: (box: Box, theme: Theme) => Drawn;
};

const PADDING = 16;
const LINE = { title: 20, text: 17, small: 15 };
const EMPTY_HEIGHT = 90;
export const WIDTH_MIN = 280;

export const textNode = (
  text: string,
  x: number,
  y: number,
  attributes: Readonly<Record<string, string | number>>,
): SvgNode => el('text', { x: px(x), y: px(y), 'font-size': SIZES.text, ...attributes }, [text]);

export function frame(content: FrameContent, options: FigureOptions): Figure {
  const theme: Theme = THEMES[options.theme];
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
  write(content.title, 'title', theme.ink);
  write(content.subtitle, 'text', theme.quiet);
  y += 8;
  const height = content.empty === null ? content.heightOf(inner) : EMPTY_HEIGHT;
  const box = { left: PADDING, top: y, width: inner, height };
  const drawn =
    content.empty === null
      ? content.draw(box, theme)
      : { nodes: emptyNodes(content.empty, box, theme), points: [], yShown: undefined };
  y += height + 6;
  for (const note of options.hasNotes === false ? [] : content.notes) write(note, 'small', theme.quiet);
  const total = Math.ceil(y + PADDING - 6);
  const ground =
    theme.background === 'none' ? [] : [el('rect', { width, height: total, fill: theme.background })];
  return {
    name: content.name,
    title: content.title,
    width,
    height: total,
    points: drawn.points,
    yShown: drawn.yShown ?? null,
    // Of a long run it has thousands of rows: it is made when somebody asks for it.
    get table() {
      return content.table;
    },
    notes: content.notes,
    svg: el(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width,
        height: total,
        viewBox: `0 0 ${String(width)} ${String(total)}`,
        'font-family': FONT,
        role: 'img',
        'aria-label': [content.title, content.empty ?? ''].filter(Boolean).join(' '),
      },
      [...ground, ...lines, ...drawn.nodes],
    ),
  };
}

function emptyNodes(sentence: string, { left, top, width, height }: Box, theme: Theme): SvgNode[] {
  const lines = wrapText(sentence, SIZES.text, width - 40);
  const first = top + height / 2 - ((lines.length - 1) * LINE.text) / 2 + 4;
  return [
    el('rect', { x: left, y: px(top), width, height, fill: 'none', stroke: theme.grid, rx: 6 }),
    ...lines.map((line, index) =>
      textNode(line, left + width / 2, first + index * LINE.text, {
        'text-anchor': 'middle',
        fill: theme.quiet,
      }),
    ),
  ];
}
