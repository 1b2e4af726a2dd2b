// Owns: looking into parsed JSON of unknown shape, and reading one value from its bytes.
import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { LIMITS } from './limits.ts';
import type { Notes } from './notes.ts';

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
/** The list under a name; what stands there and is none is noted. */
export function listIn(value: unknown, key: string, pointer: string, notes: Notes): unknown[] {
  const given = own(value, key);
  if (given !== undefined && given !== null && !Array.isArray(given))
    notes.skip('no_list', `${key} is no list; left out`, `${pointer}/${key}`);
  return listOf(given);
}
/** The steps under a name; what is no list, and a step that is no object, is noted and left out. */
export function stepsIn(value: unknown, key: string, pointer: string, notes: Notes): Indexed[] {
  return listIn(value, key, pointer, notes).flatMap((step, index) => {
    const at = `${pointer}/${key}/${String(index)}`;
    if (isFields(step)) return [{ step, pointer: at }];
    notes.skip('no_step', 'a step that is no object', at);
    return [];
  });
}
export type Indexed = { step: Fields; pointer: string };
export function own(value: unknown, key: string): unknown {
  if (!isFields(value)) return undefined;
  const found = value[key];
  // Most of what is asked for is not there: only of what is must be known whose it is.
  return found !== undefined && Object.hasOwn(value, key) ? found : undefined;
}
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const wholeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** A reward as the log keeps it: a number; true counts as 1. */
export const rewardOf = (value: unknown): number | null =>
  typeof value === 'boolean' ? Number(value) : numberOf(value);

/** JSON that came from a file is JSON: the parser made it. */
export const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));
export const asObject = (value: unknown): JsonObject => (isFields(value) ? (value as JsonObject) : {});

/** Words of a value of any shape: a string as it is, anything else as JSON. */
export const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The time a value stands for, in UTC ms: ISO text, or seconds or ms since 1970. Null when it is neither. */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'string') {
    // Python leaves the zone out of naive times; those are read as UTC, never as this machine's zone.
    const isNaive = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value);
    const at = Date.parse(isNaive ? `${value.replace(' ', 'T')}Z` : value);
    return Number.isFinite(at) && at > 0 ? at : null;
  }
  const number = numberOf(value);
  if (number === null || number <= 0) return null;
  const ms = number < 1e11 ? number * 1000 : number;
  return ms < 8.64e15 ? Math.round(ms) : null;
}

/** Parses one value's bytes. What cannot be read is noted, and undefined is returned. */
export function parseValue(bytes: Buffer, pointer: string | null, notes: Notes): unknown {
  const text = decode(bytes, pointer, notes);
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    const mended = withoutNaN(text);
    if (mended !== text) {
      try {
        const value = JSON.parse(mended) as unknown;
        notes.note('not_a_number', 'NaN or Infinity is no JSON; read as null', pointer);
        return value;
      } catch {
        // The first complaint names the file's own text.
      }
    }
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    notes.skip('broken_json', `not valid JSON: ${why.slice(0, 200)}`, pointer);
    return undefined;
  }
}

const LATIN = new TextDecoder('windows-1252');

function decode(bytes: Buffer, pointer: string | null, notes: Notes): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  notes.note('not_utf8', 'not UTF-8; read as Western European text (Windows-1252)', pointer);
  return LATIN.decode(bytes);
}

/** NaN and infinities outside strings as null. */
const withoutNaN = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) =>
    found.startsWith('"') ? found : 'null',
  );

/** Whether a value nests deeper than this product follows. */
export function isTooDeep(value: unknown, left: number = LIMITS.depth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, left - 1)) return true;
  return false;
}
