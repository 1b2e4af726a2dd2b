// An observation of any environment as the text its agent reads: one field a line, boards as rows, images by their size.
import { isRecord } from '../../shared/json.ts';
import { boardText, ENVELOPE, imageOf, isBoard, isScalar } from '../../shared/observation.ts';

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
  if (isBoard(value)) return boardText(value.map((row) => row.map(scalarText)));
  if (Array.isArray(value) && value.every(isScalar)) return `[${value.map(scalarText).join(', ')}]`;
  if (isRecord(value) || Array.isArray(value)) return JSON.stringify(value, shortened, 2);
  return scalarText(value);
}

const scalarText = (value: unknown): string =>
  typeof value === 'string' ? stringText(value) : (JSON.stringify(value) ?? 'null');
const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? stringText(value) : value;

function stringText(text: string): string {
  const image = imageOf(text);
  return image === null
    ? text
    : `[${image.type}, ${String(Math.round((image.base64.length * 3) / 4 / 1024))} KiB]`;
}
