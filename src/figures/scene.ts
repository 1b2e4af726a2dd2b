// A drawing as plain data, so that the console, a report and a picture show the same one.

export type SvgAttributes = Readonly<Record<string, string | number>>;
export type SvgNode = {
  tag: string;
  attributes: SvgAttributes;
  children: readonly (SvgNode | string)[];
};

/** The interval of a number; both ends or neither. */
export type Bounds = { low?: number | null | undefined; high?: number | null | undefined };
export const isBounded = <B extends Bounds>(one: B): one is B & { low: number; high: number } =>
  typeof one.low === 'number' && typeof one.high === 'number';

/** A mark that says something when it is pointed at or reached by key. */
export type FigurePoint = { x: number; y: number; text: string };

export type TableCell = string | number | null;
export type FigureTable = { columns: readonly string[]; rows: readonly (readonly TableCell[])[] };

export type Figure = {
  /** A file name without its ending. */
  name: string;
  /** What the figure shows, as a sentence. */
  title: string;
  width: number;
  height: number;
  svg: SvgNode;
  points: readonly FigurePoint[];
  /** The ends of the upright axis of a curve; null where there is none. */
  yShown: readonly [number, number] | null;
  /** Every number that is drawn. */
  table: FigureTable;
  /** What a reader has to know beside the drawing: n, intervals, sources, what is missing. */
  notes: readonly string[];
};

export const el = (
  tag: string,
  attributes: SvgAttributes = {},
  children: readonly (SvgNode | string)[] = [],
): SvgNode => ({ tag, attributes, children });

/** Two decimals are finer than any screen; more would make equal drawings differ. */
export const px = (value: number): number => Math.round(value * 100) / 100;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
// XML has no place for most control characters, not even escaped.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);

/** The drawing as the text of an SVG file. */
export function toSvgText({ tag, attributes, children }: SvgNode): string {
  const written = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
  if (children.length === 0) return `<${tag}${written}/>`;
  const inside = children.map((child) => (typeof child === 'string' ? escapeXml(child) : toSvgText(child)));
  return `<${tag}${written}>${inside.join('')}</${tag}>`;
}
