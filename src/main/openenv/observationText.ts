// An observation of any environment as the text its agent reads: one field a line, boards as rows, images by their size.
import { isRecord } from '../../shared/json.ts';

/** Said by the envelope of the frame, or meant for the client alone. */
const ENVELOPE: ReadonlySet<string> = new Set(['reward', 'done', 'metadata']);
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

/** Null where the observation holds nothing. */
export function observationText(observation: Record<string, unknown>): string | null {
  const fields = Object.entries(observation).filter(
    ([key, value]) => !ENVELOPE.has(key) && value !== null && value !== undefined,
  );
  const [only] = fields;
  if (only === undefined) return null;
  if (fields.length === 1 && typeof only[1] === 'string') return stringText(only[1]);
  return fields.map(([key, value]) => fieldText(key, value)).join('\n');
}

function fieldText(key: string, value: unknown): string {
  const text = valueText(value);
  return text.includes('\n') ? `${key}:\n${text.replace(/\n$/, '')}` : `${key}: ${text}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (isBoard(value)) return boardText(value);
  if (Array.isArray(value) && value.every(isScalar)) return `[${value.map(scalarText).join(', ')}]`;
  if (isRecord(value) || Array.isArray(value)) return JSON.stringify(value, shortened, 2);
  return scalarText(value);
}

type Scalar = string | number | boolean | null;
const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
const scalarText = (value: unknown): string =>
  typeof value === 'string' ? stringText(value) : (JSON.stringify(value) ?? 'null');
const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? stringText(value) : value;

/** Rows of the same length. */
const isBoard = (value: unknown): value is Scalar[][] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every(
    (row): row is Scalar[] =>
      Array.isArray(row) &&
      row.length > 0 &&
      row.length === (value[0] as unknown[]).length &&
      row.every(isScalar),
  );

function boardText(rows: readonly Scalar[][]): string {
  const cells = rows.map((row) => row.map(scalarText));
  const width = Math.max(...cells.flat().map(({ length }) => length));
  return cells.map((row) => row.map((cell) => cell.padStart(width)).join(' ')).join('\n');
}

function stringText(text: string): string {
  const image = imageOf(text);
  return image === null
    ? text
    : `[${image.type}, ${String(Math.round((image.base64.length * 3) / 4 / 1024))} KiB]`;
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
