// Reading JSON as models write it. Strict JSON reads as itself; a slip is mended only when one reading remains. Must
// not know: what the value is for.
import { parseJson } from '../../shared/json.ts';

type JsonRead =
  | { ok: true; value: unknown; end: number; repairs: string[] }
  | { ok: false; problem: string; at: number; isCutOff: boolean };

type Cursor = { text: string; at: number; depth: number; repairs: Set<string>; mayClose: boolean };

/** Thrown and caught here alone; no Error, because a reply may hold thousands and a stack costs more than the reading. */
class UnreadableJson {
  readonly message: string;
  readonly at: number;
  readonly isCutOff: boolean;
  constructor(message: string, at: number, isCutOff: boolean) {
    this.message = message;
    this.at = at;
    this.isCutOff = isCutOff;
  }
}

const JSON_DEPTH_MAX = 200;
const LITERALS: Readonly<Record<string, { value: unknown; repair?: string }>> = {
  true: { value: true },
  false: { value: false },
  null: { value: null },
  True: { value: true, repair: 'python_literal' },
  False: { value: false, repair: 'python_literal' },
  None: { value: null, repair: 'python_literal' },
};

/**
 * The value that begins at `from`, and where it ends. `mayClose`: the text is known to be whole, so that brackets left
 * open at its very end are only forgotten, not cut off.
 */
export function readJson(text: string, from = 0, mayClose = false): JsonRead {
  const cursor: Cursor = { text, at: from, depth: 0, repairs: new Set(), mayClose };
  try {
    skipWhitespace(cursor);
    const value = readValue(cursor);
    return { ok: true, value, end: cursor.at, repairs: [...cursor.repairs] };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableJson)) throw thrown;
    return { ok: false, problem: thrown.message, at: thrown.at, isCutOff: thrown.isCutOff };
  }
}

export function readWholeJson(text: string, mayClose = false): JsonRead {
  const read = readJson(text, 0, mayClose);
  if (!read.ok || text.slice(read.end).trim() === '') return read;
  return { ok: false, problem: 'more text follows the value', at: read.end, isCutOff: false };
}

function readValue(cursor: Cursor): unknown {
  const char = cursor.text[cursor.at];
  if (char === '{') return nested(cursor, readLooseObject);
  if (char === '[') return nested(cursor, readArray);
  if (char === '"' || char === "'") return readString(cursor);
  const number = matchAt(cursor, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (number !== null) return readNumber(cursor, number);
  const word = matchAt(cursor, /[A-Za-z_]+/y);
  const literal = word !== null && Object.hasOwn(LITERALS, word) ? LITERALS[word] : undefined;
  if (word === null || literal === undefined) throw unexpectedToken(cursor, 'a value');
  cursor.at += word.length;
  if (literal.repair !== undefined) cursor.repairs.add(literal.repair);
  return literal.value;
}

function nested<T>(cursor: Cursor, read: (cursor: Cursor) => T): T {
  if (cursor.depth >= JSON_DEPTH_MAX) throw new UnreadableJson('it is nested too deeply', cursor.at, false);
  cursor.depth += 1;
  const value = read(cursor);
  cursor.depth -= 1;
  return value;
}

function readLooseObject(cursor: Cursor): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  cursor.at += 1;
  while (!closes(cursor, '}', entries.length > 0)) {
    const char = cursor.text[cursor.at];
    if (char !== '"' && char !== "'") throw unexpectedToken(cursor, 'a key in quotes');
    const key = readString(cursor);
    skipWhitespace(cursor);
    if (cursor.text[cursor.at] !== ':') throw unexpectedToken(cursor, '":"');
    cursor.at += 1;
    skipWhitespace(cursor);
    entries.push([key, readValue(cursor)]);
  }
  const value = Object.fromEntries(entries);
  if (Object.keys(value).length < entries.length) cursor.repairs.add('duplicate_keys');
  return value;
}

function readArray(cursor: Cursor): unknown[] {
  const values: unknown[] = [];
  cursor.at += 1;
  while (!closes(cursor, ']', values.length > 0)) values.push(readValue(cursor));
  return values;
}

/** Steps over the separator or the closing bracket; true when it closed. */
function closes(cursor: Cursor, bracket: string, hasItems: boolean): boolean {
  skipWhitespace(cursor);
  if (isForgotten(cursor)) return true;
  if (cursor.text[cursor.at] === bracket) {
    cursor.at += 1;
    return true;
  }
  if (!hasItems) return false;
  if (cursor.text[cursor.at] !== ',') throw unexpectedToken(cursor, `"," or "${bracket}"`);
  cursor.at += 1;
  skipWhitespace(cursor);
  if (cursor.text[cursor.at] !== bracket) return false;
  cursor.repairs.add('trailing_comma');
  cursor.at += 1;
  return true;
}

function isForgotten(cursor: Cursor): boolean {
  if (!cursor.mayClose || cursor.at < cursor.text.length) return false;
  cursor.repairs.add('missing_bracket');
  return true;
}

/** Characters that end a text in quotes, or stand in it otherwise than in JSON. */
const [QUOTE, APOSTROPHE, BACKSLASH, SPACE] = [0x22, 0x27, 0x5c, 0x20];

function readString(cursor: Cursor): string {
  const { text, at: start } = cursor;
  const quote = text.charCodeAt(start);
  let isStrict = quote === QUOTE;
  let hasEscapes = false;
  let end = start + 1;
  for (; end < text.length && text.charCodeAt(end) !== quote; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) {
      hasEscapes = true;
      end += 1;
      if (text.charCodeAt(end) !== APOSTROPHE) continue;
      isStrict = false;
      cursor.repairs.add('escaped_apostrophe');
    } else if (code < SPACE) {
      isStrict = false;
      cursor.repairs.add('raw_control_character');
    }
  }
  if (end >= text.length) throw new UnreadableJson('a text in quotes never ends', start, true);
  cursor.at = end + 1;
  // An apostrophe inside is no slip to mend: what follows it is then no separator, and reading fails there.
  if (quote === APOSTROPHE) cursor.repairs.add('single_quotes');
  const inner = text.slice(start + 1, end);
  if (!hasEscapes) return inner;
  try {
    return JSON.parse(isStrict ? text.slice(start, end + 1) : `"${strictText(inner)}"`) as string;
  } catch {
    throw new UnreadableJson('a text in quotes holds an escape that JSON does not know', start, false);
  }
}

/** The inside of a text in quotes as JSON writes it. */
const strictText = (inner: string): string =>
  inner.replace(
    // oxlint-disable-next-line no-control-regex -- they are what a string of JSON must not hold
    /(?:\\[^']){1,1000}|\\'|["\u0000-\u001f]{1,1000}/g,
    (found) => (found === "\\'" ? "'" : found.startsWith('\\') ? found : JSON.stringify(found).slice(1, -1)),
  );

function readNumber(cursor: Cursor, written: string): unknown {
  cursor.at += written.length;
  const after = cursor.text[cursor.at] ?? '';
  if (/[\w.]/.test(after)) throw unexpectedToken(cursor, 'the end of the number');
  return parseJson(written);
}

function skipWhitespace(cursor: Cursor): void {
  const space = matchAt(cursor, /\s+/y);
  if (space !== null) cursor.at += space.length;
}

function matchAt(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.text)?.[0] ?? null;
}

function unexpectedToken(cursor: Cursor, wanted: string): UnreadableJson {
  const isCutOff = cursor.at >= cursor.text.length;
  const found = isCutOff
    ? 'the text ends'
    : `there is ${JSON.stringify(cursor.text.slice(cursor.at, cursor.at + 20))}`;
  return new UnreadableJson(`${wanted} is expected where ${found}`, cursor.at, isCutOff);
}
