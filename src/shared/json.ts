// JSON with its integers kept exactly: those beyond 2^53, which a number cannot hold, are BigInt in memory and their own
// digits in text. Sources: ECMA-262 25.5.1 (the reviver's `context.source`) and `JSON.rawJSON`.
import { READ_MAX } from './truncate.ts';

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
type ExactJson = { parse(text: string, reviver: Reviver): unknown; rawJSON(text: string): unknown };

const exact = JSON as unknown as ExactJson;

/** Where an integer of that many digits may begin; most texts have none and are read as ever. */
const MANY_DIGITS = /(?:^-?|[\s:,[-])[0-9]{16}/;
const INTEGER = /^-?[0-9]+$/;

/**
 * `JSON.parse`, but an integer whose digits a number would change becomes a BigInt. What `JSON.stringify` wrote of a number
 * is that number again. Throws `SyntaxError` as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text) as unknown;
  writeBigIntsAsDigits();
  return exact.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    return source !== undefined && INTEGER.test(source) && String(value) !== source ? BigInt(source) : value;
  });
}

/** The value of a JSON text; undefined when it is none. */
export const tryJson = (text: string): unknown => tryReading(text, JSON.parse);

/** As `tryJson`, with every integer kept exactly. */
export const tryExactJson = (text: string): unknown => tryReading(text, parseJson);

/** As `tryExactJson`, for what is only told in a line: undefined too when the text is longer than is looked at. */
export const tryShortJson = (text: string): unknown =>
  text.length > READ_MAX ? undefined : tryExactJson(text);

/** How a JSON text begins and ends. What does not is told without an exception, of which a long text could cost thousands. */
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

/** Whether a text would be, as JSON, nested a thousand levels deep at one place: nobody writes so, and to parse it takes long. */
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

/** Whether a value is an object with members: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Makes `JSON.stringify` write a BigInt as its digits on this thread, where it would throw else. A process that is
 * handed one by another thread or over a bridge calls it once; `parseJson` does so before it makes the first.
 */
export function writeBigIntsAsDigits(): void {
  if (Object.hasOwn(BigInt.prototype, 'toJSON')) return;
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint) {
      return exact.rawJSON(this.toString());
    },
    configurable: true,
    writable: true,
  });
}
