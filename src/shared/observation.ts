// Recognises the fields of an observation, whatever its environment: boards, images, plain values. Pure.

/** Said by the envelope of the frame, or meant for the client alone. */
export const ENVELOPE: ReadonlySet<string> = new Set(['reward', 'done', 'metadata']);
const DATA_URL = /^data:(image\/[a-z+.-]+);base64,/;
/** The first characters that the base64 of an image has, by its format. */
const IMAGE_STARTS: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];
/** Shorter strings that begin like an image are words. */
const IMAGE_CHARS_MIN = 100;

export type Scalar = string | number | boolean | null;
export const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** Rows of the same length. */
export const isBoard = (value: unknown): value is Scalar[][] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every(
    (row): row is Scalar[] =>
      Array.isArray(row) &&
      row.length > 0 &&
      row.length === (value[0] as unknown[]).length &&
      row.every(isScalar),
  );

/** A board as text, its columns as wide as the widest cell. */
export function boardText(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.flat().map(({ length }) => length));
  return rows.map((row) => row.map((cell) => cell.padStart(width)).join(' ')).join('\n');
}

/** The image a text holds in base64; null where it is a text. */
export function imageOf(text: string): { type: string; base64: string } | null {
  if (text.length < IMAGE_CHARS_MIN) return null;
  const url = DATA_URL.exec(text);
  if (url !== null) return { type: url[1] ?? '', base64: text.slice(url[0].length) };
  const start = IMAGE_STARTS.find(([first]) => text.startsWith(first));
  // A space or a line of words is no base64.
  return start === undefined || /[^A-Za-z0-9+/=\s]/.test(text.slice(0, 1_000))
    ? null
    : { type: start[1], base64: text };
}
