// Reads values out of parsed JSON of unknown shape.
import { isUtf8 } from 'node:buffer';
import { type Json, ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { REPLY_LABELS, TRAINING_MARKS } from '../../../shared/conservation.ts';
import { errorMessage } from '../../../shared/failure.ts';
import { imageOf } from '../../../shared/observation.ts';
import {
  holdsExactNumbers,
  isNumber,
  isRecord,
  parseJson,
  plainOutsideArguments,
  tryExactJson,
} from '../../../shared/json.ts';
import { LIMITS } from './limits.ts';
import type { ImportNotes, LeftOut } from './importNotes.ts';

export type JsonRecord = Record<string, unknown>;

/** Words for the values of marks, in any case. */
const MARK_WORDS: ReadonlyMap<string, number> = new Map([
  ...['true', 'yes', 'good', 'desirable'].map((word) => [word, 1] as const),
  ...['false', 'no', 'bad', 'undesirable'].map((word) => [word, 0] as const),
]);

/** A mark of a reply as a number, true being 1; NaN where nobody here can read it. */
export function markNumber(name: string, value: unknown): number {
  // Axolotl's `train_detail`: a reply of which a part must not train does not.
  if (Array.isArray(value)) return Math.min(1, ...value.map((part) => trainingWeight(part) ?? NaN));
  const word = typeof value === 'string' ? MARK_WORDS.get(value.trim().toLowerCase()) : undefined;
  const number = word ?? rewardFrom(value) ?? NaN;
  return name === 'mask' ? 1 - number : number;
}

/** The least that the marks of an object say of training; undefined where it has none. What cannot be read is a 0. */
export function trainingWeight(value: unknown, names: Iterable<string> = TRAINING_MARKS): number | undefined {
  const given = [...names].flatMap((name) => {
    const mark = firstValue(value, name);
    return mark === undefined ? [] : [markNumber(name, mark)];
  });
  const least = Math.min(...given);
  return given.length === 0 ? undefined : Number.isNaN(least) ? 0 : least;
}

/** True if an object says that its reply is good; undefined where it says nothing, null where nobody here can read it. */
export function judgementIn(value: unknown): boolean | null | undefined {
  const name = [...REPLY_LABELS].find((one) => firstValue(value, one) !== undefined);
  if (name === undefined) return undefined;
  const number = markNumber(name, firstValue(value, name));
  return number === 1 ? true : number === 0 || number === -1 ? false : null;
}

export const isJsonRecord = (value: unknown): value is JsonRecord => isRecord(value);
export const recordFrom = (value: unknown): JsonRecord => (isJsonRecord(value) ? value : {});
export const listFrom = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
/** The list under a name; what stands there and is none is noted. */
export function listIn(value: unknown, key: string, pointer: string, notes: ImportNotes): unknown[] {
  const given = ownValue(value, key);
  if (given !== undefined && given !== null && !Array.isArray(given))
    notes.skip('no_list', `${key} is no list; left out`, `${pointer}/${key}`);
  return listFrom(given);
}
/** The steps under a name; what is no list, and a step that is no object, is noted and left out. */
export function indexedSteps(
  value: unknown,
  key: string,
  pointer: string,
  notes: ImportNotes,
): IndexedStep[] {
  return listIn(value, key, pointer, notes).flatMap((step, index) => {
    const at = `${pointer}/${key}/${String(index)}`;
    if (isJsonRecord(step)) return [{ step, pointer: at }];
    notes.skip('no_step', 'a step that is no object', at);
    return [];
  });
}
type IndexedStep = { step: JsonRecord; pointer: string };
export function ownValue(value: unknown, key: string): unknown {
  if (!isJsonRecord(value)) return undefined;
  const found = value[key];
  // Most of what is asked for is not there: only of what is must be known whose it is.
  return found !== undefined && Object.hasOwn(value, key) ? found : undefined;
}
export const textFrom = (value: unknown): string | null => (typeof value === 'string' ? value : null);
/** The first value under these names that is anything but null; undefined where there is none. */
export function firstValue(value: unknown, ...keys: readonly string[]): unknown {
  return keys.map((key) => ownValue(value, key)).find((one) => one !== undefined && one !== null);
}
/** The text of the first of these names that holds one. */
export function firstText(value: unknown, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textFrom(ownValue(value, key));
    if (text !== null) return text;
  }
  return null;
}
/** A number; an integer that none can hold is the nearest one, its digits stand where the value itself is kept. */
export const numberFrom = (value: unknown): number | null => {
  const number = isNumber(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
export const wholeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** A reward as the log keeps it: a number, also one that is written as text; true counts as 1. */
export const rewardFrom = (value: unknown): number | null =>
  typeof value === 'boolean' || (typeof value === 'string' && NUMBER_TEXT.test(value))
    ? numberFrom(Number(value))
    : numberFrom(value);
const NUMBER_TEXT = /^\s{0,8}[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:e[+-]?\d{1,3})?\s{0,8}$/i;

/** JSON that came from a file is JSON: the parser made it. */
export const jsonFrom = (value: unknown): Json => (value === undefined ? null : (value as Json));
export const asObject = (value: unknown): JsonObject => (isJsonRecord(value) ? (value as JsonObject) : {});

/** Words of a value of any shape: a string as it is, anything else as JSON. */
export const textFromAny = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : jsonText(value);

/** The time a value stands for, in UTC ms: ISO text, or s, ms, µs or ns since 1970. Null when it is neither. */
export function timeFrom(value: unknown): number | null {
  if (typeof value === 'string') {
    // Python leaves the zone out of naive times; those are read as UTC, never as this machine's zone.
    const isNaive = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value);
    const at = Date.parse(isNaive ? `${value.replace(' ', 'T')}Z` : value);
    return Number.isFinite(at) && at > 0 ? at : null;
  }
  const number = numberFrom(value);
  if (number === null || number <= 0) return null;
  // Of these years each unit is a thousand times the next.
  const ms = number * (number < 1e11 ? 1e3 : number < 1e14 ? 1 : number < 1e17 ? 1e-3 : 1e-6);
  return ms < 8.64e15 ? Math.round(ms) : null;
}

/** Parses one value's bytes. What cannot be read is noted, and undefined is returned. */
export function parseValue(bytes: Buffer, pointer: string | null, notes: ImportNotes): unknown {
  const text = decode(bytes, pointer, notes);
  try {
    return parseRecord(text);
  } catch (thrown) {
    const mended = withoutNaN(text);
    if (mended !== text) {
      try {
        const value = parseRecord(mended);
        notes.note('not_a_number', 'NaN or Infinity is no JSON; read as null', pointer);
        return value;
      } catch {
        // The first complaint names the file's own text.
      }
    }
    const why = errorMessage(thrown);
    const left = { kind: 'what is no JSON', characters: text.length };
    notes.skip('broken_json', `not valid JSON: ${why.slice(0, 200)}`, pointer, left);
    return undefined;
  }
}

/** Names in one text, as a set. */
export const keySet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

function parseRecord(text: string): unknown {
  return holdsExactNumbers(text) ? plainOutsideArguments(parseJson(text)) : JSON.parse(text);
}

const LATIN = new TextDecoder('windows-1252');

function decode(bytes: Buffer, pointer: string | null, notes: ImportNotes): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  notes.note('not_utf8', 'not UTF-8; read as Western European text (Windows-1252)', pointer);
  return LATIN.decode(bytes);
}

/** NaN and infinities outside strings as null. */
const withoutNaN = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g, (found) =>
    found.startsWith('"') ? found : 'null',
  );

/** True if a value nests deeper than this product follows. */
export function isTooDeep(value: unknown, left: number = LIMITS.depth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, left - 1)) return true;
  return false;
}

const texts = new WeakMap<object, string>();

/** A value as JSON text, kept as long as the value is. */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}

/** The text that was made of it, if any was. */
export const jsonTextOf = (value: object): string | undefined => texts.get(value);

/** Every field of a record but those that were read and those that are empty; what is too large is named. */
export function metadataOf(record: JsonRecord, read: ReadonlySet<string>, notes: ImportNotes): JsonObject {
  const metadata: JsonObject = {};
  for (const [key, value] of Object.entries(record)) {
    if (read.has(key) || isEmpty(value)) continue;
    if (jsonText(value).length <= LIMITS.metadataCharacters) metadata[key] = jsonFrom(value);
    else notes.note('column_left_out', `the column ${key} is large; it is in the kept file only`);
  }
  return metadata;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  ((Array.isArray(value) || isRecord(value)) && Object.keys(value).length === 0);

/** The items of a half-open range `[from, to]`; none for anything else. */
export function poolRange(pool: readonly unknown[], range: unknown): unknown[] {
  const [from, to] = listFrom(range);
  return typeof from === 'number' && typeof to === 'number'
    ? pool.slice(Math.max(0, from), Math.max(0, to))
    : [];
}

export type EpisodeTimes = {
  /** In UTC ms; null when there is none, or none that can be read. Call in the order of the file. */
  read(value: unknown, pointer: string): number | null;
};

/** For one episode. Times stay as they were recorded, whatever order they are in. */
export function createTimes(notes: ImportNotes): EpisodeTimes {
  let latest = -Infinity;
  return {
    read: (value, pointer) => {
      const at = timeFrom(value);
      if (at === null) {
        if (value !== null && value !== undefined && value !== '')
          notes.note('bad_time', 'a time that cannot be read; taken as not recorded', pointer);
        return null;
      }
      if (at < latest) notes.note('time_backwards', 'a time before the one it follows', pointer);
      latest = Math.max(latest, at);
      return at;
    },
  };
}

/** Tools from OpenAI's, MCP's, Anthropic's or Inspect's shape, or from JSON text that holds them; others are left out. */
export function toolSpecs(given: unknown): ToolSpec[] {
  const list = typeof given === 'string' ? tryExactJson(given) : given;
  return listFrom(list).flatMap((tool) => {
    const body = isJsonRecord(ownValue(tool, 'function')) ? ownValue(tool, 'function') : tool;
    const name = textFrom(ownValue(body, 'name'));
    if (name === null) return [];
    const schema = firstValue(body, 'parameters', 'input_schema', 'inputSchema');
    const description = textFrom(ownValue(body, 'description')) ?? '';
    const read = ToolSpec.safeParse({ name, description, input_schema: recordFrom(schema) });
    return read.success ? [read.data] : [];
  });
}

/** Tools of which only the names are recorded. */
export const namedTools = (names: unknown): ToolSpec[] =>
  listFrom(names).flatMap((name) =>
    typeof name === 'string' ? [{ name, description: '', input_schema: {} }] : [],
  );

/** A record that no episode comes of: named by its own type, with the characters of all its texts. */
export function leftRecord(value: unknown, kind?: string): LeftOut {
  const type = firstText(value, 'type', 'kind', 'event') ?? '';
  const named = /^[\w.:-]{1,40}$/.test(type) ? `records of type ${type}` : 'records of no known kind';
  return { kind: kind ?? named, characters: textLength(value) };
}

const MEDIA_URL = /data:[\w.+/-]{0,100}(?:;[\w.=+-]{1,100}){0,4};base64,[\w+/=-]*/g;

/** The characters of a text that are words: media that stands in it as base64 is none. */
export const wordsLength = (text: string): number =>
  text.includes(';base64,') ? text.replaceAll(MEDIA_URL, '').length : text.length;

const MEDIA_FIELDS: ReadonlySet<string> = new Set(['data', 'bytes', 'b64_json']);
const MEDIA_FORMAT = /^(?:wav|mp3|pcm16|flac|opus|ogg|mp4|png|jpe?g|gif|webp|pdf)$/;
const BASE64 = /^[\w+/=\r\n-]*$/;

/** True if the value of a field is media in base64: it begins like an image, or what stands beside it says so. */
export function isMedia(owner: object, key: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (imageOf(value) !== null) return true;
  if (!MEDIA_FIELDS.has(key) || !BASE64.test(value)) return false;
  const type = ownValue(owner, 'type');
  if (type === 'base64' || key !== 'data') return true;
  const mime = firstText(owner, 'mimeType', 'mime_type', 'media_type', 'mediaType');
  return type !== 'text' && (mime !== null || MEDIA_FORMAT.test(firstText(owner, 'format') ?? ''));
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return wordsLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) sum += isMedia(value, key, inner) ? 0 : textLength(inner);
  return sum;
}
