// JSON with its numbers kept exactly: one whose digits a number would change, such as `1.10`, `-0.0`, `1e400` or
// 9007199254740993, keeps them in memory and in text. Sources: ECMA-262 25.5.1 (the reviver's `context.source`) and `JSON.rawJSON`.
import { READ_MAX } from './truncate.ts';

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
type ExactJson = { parse(text: string, reviver: Reviver): unknown; rawJSON(text: string): unknown };

const exact = JSON as unknown as ExactJson;

/** A number of a JSON text that JavaScript would write otherwise: its digits are its value, `JSON.stringify` writes them. */
export class ExactNumber {
  readonly #digits: string;
  /** `digits` is a number as JSON writes it. */
  constructor(digits: string) {
    this.#digits = digits;
  }
  toString(): string {
    return this.#digits;
  }
  /** The nearest number there is. */
  valueOf(): number {
    return Number(this.#digits);
  }
  toJSON(): unknown {
    return exact.rawJSON(this.#digits);
  }
}

/** True for a number, in whichever way it is kept. */
export const isNumber = (value: unknown): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/** A whole number that JavaScript can count with, however it is written: `5.0` is 5; null for anything else. */
export const wholeOr = (value: unknown): number | null =>
  isNumber(value) && Number.isSafeInteger(Number(value)) ? Number(value) : null;

const isChanged = (digits: string): boolean => JSON.stringify(Number(digits)) !== digits;

/**
 * A number that may be one JavaScript changes: long, with an exponent, a minus before 0, a 0 at the end of a
 * fraction, or six behind its point. */
const SUSPECT =
  /(?<![^\s:,[])-?(?:[0-9][0-9.]{15,}(?:[eE][+-]?[0-9]+)?|[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+|[0-9]+\.[0-9]*0(?![0-9.eE])|0\.0{6}[0-9]+(?![0-9.eE])|0(?<=-0)(?![.0-9eE]))/g;

/** True if a number in a JSON text is one that `parseJson` keeps exactly. */
export function holdsExactNumbers(text: string): boolean {
  SUSPECT.lastIndex = 0;
  for (let found = SUSPECT.exec(text); found !== null; found = SUSPECT.exec(text))
    if (isChanged(found[0])) return true;
  return false;
}

/**
 * `JSON.parse`, but a number whose digits a number would change becomes an `ExactNumber`. What `JSON.stringify` wrote of a
 * number is that number again. Throws `SyntaxError` as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  if (!holdsExactNumbers(text)) return JSON.parse(text) as unknown;
  return exact.parse(text, (_key, value, context) => {
    const source = typeof value === 'number' ? context?.source : undefined;
    return source !== undefined && isChanged(source) ? new ExactNumber(source) : value;
  });
}

/** The value of a JSON text; undefined when it is none. */
export const tryJson = (text: string): unknown => tryReading(text, JSON.parse);

/** As `tryJson`, with every number kept exactly. */
export const tryExactJson = (text: string): unknown => tryReading(text, parseJson);

/** As `tryExactJson`, for what is only told in a line: undefined too when the text is longer than is looked at. */
export const tryShortJson = (text: string): unknown =>
  text.length > READ_MAX ? undefined : tryExactJson(text);

/** The ends of a JSON text. Other text is told without an exception, of which a long text could cost thousands. */
const BEGINS = '{["-0123456789tfn';
const ENDS = '}]"0123456789el';

function tryReading(text: string, read: (text: string) => unknown): unknown {
  const bare = text.trim();
  if (bare === '' || !BEGINS.includes(bare.charAt(0)) || !ENDS.includes(bare.charAt(bare.length - 1)))
    return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

const MANY_OPEN = /[[{]{1000}/;

/** True if a text would be, as JSON, nested a thousand levels deep at one place: nobody writes so, and to parse it takes long. */
export function isNestedDeeply(text: string): boolean {
  if (!MANY_OPEN.test(text)) return false;
  let [depth, isQuoted] = [0, false];
  for (let at = 0; at < text.length && depth < 1000; at += 1) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += char === '\\' ? 1 : 0;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
  }
  return depth >= 1000;
}

/** True for an object with members: neither null nor a list, nor a number that is kept exactly. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** Members that hold the arguments of a call, or the kwargs of a reset. */
const ARGUMENTS = new Set(
  'arguments args input parameters params kwargs tool_input action_input function_args reset'.split(' '),
);

/** The value with JavaScript's numbers for fractions, `1.0` for example, but for those in arguments. */
export function plainOutsideArguments(value: unknown): unknown {
  if (value instanceof ExactNumber) {
    const isWhole = /^-?[1-9]\d*$/.test(String(value));
    return isWhole || !Number.isFinite(Number(value)) ? value : Number(value);
  }
  if (Array.isArray(value)) return value.map(plainOutsideArguments);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, ARGUMENTS.has(key) ? one : plainOutsideArguments(one)]),
  );
}
