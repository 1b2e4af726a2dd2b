// The leak meter: how much of an advice repeats literals of the task's secrets (criteria, reference plan, verifier code)
// that its agent could not know. A literal is known where it stands in the task, in a tool's schema or in what the
// environment has shown. What the agent says itself is no source: it may have it from earlier advice.
import { escapeRegExp } from './escapeRegExp.ts';
import { z } from 'zod';
import {
  codesIn,
  emailsIn,
  loosened,
  namesInText,
  normalizeText,
  numbersIn,
  withoutEmails,
} from './literals.ts';
import type { Briefing } from './pack.ts';
import { READ_MAX, truncate } from './truncate.ts';

export const Leak = z.strictObject({
  /** Literals of the secrets that the text repeats and the agent could not know. */
  count: z.number().int().nonnegative(),
  /** Literals of the secrets that the text repeats, known or not. */
  repeated: z.number().int().nonnegative(),
  /** The ones that could not be known; null on its way to a screen that may not show them. */
  values: z.array(z.string()).nullable(),
});
export type Leak = z.infer<typeof Leak>;

/** Texts that nobody but the verifier's side has. Purposes of the plan are prose about it and stay out. */
export const secretTexts = ({ criteria, reference, verifier }: Briefing): string[] => [
  criteria,
  ...reference.map(({ args }) => JSON.stringify(args)),
  ...(verifier === undefined ? [] : [verifier]),
];

/**
 * Measures one text. Literals of the secrets are looked for in it as whole words, the longest first, so that a number
 * inside a leaked name is not counted again. 0 and 1 never count; 2 to 9 count where they stand as a value. Of a text
 * longer than `READ_MAX`, which no advice of a person is, the beginning is measured; what was known is looked for in the
 * whole.
 */
export function leakOf(text: string, secrets: readonly string[], known: readonly string[]): Leak {
  const literals = distinct(secrets.flatMap((secret) => literalsIn(truncate(secret)))).toSorted(
    (a, b) => b.length - a.length,
  );
  let rest = normalizeText(truncate(text).replace(LIST_MARK, ' '));
  let source = createSource(rest);
  const repeated = literals.filter((literal) => {
    if (!standsIn(source, literal, true)) return false;
    const left = without(rest, literal);
    if (left !== rest) source = createSource(left);
    rest = left;
    return true;
  });
  // Most texts repeat nothing, and what was known before is long: it is read only where something stands against it.
  const values = known.reduce((left, one) => (left.length === 0 ? left : unknownIn(one, left)), repeated);
  return { count: values.length, repeated: repeated.length, values: values.toSorted() };
}

/** The literals that a text does not tell: in the same letters anywhere, or in other forms where it begins. */
function unknownIn(text: string, literals: string[]): string[] {
  const source = createSource(truncate(text));
  return literals.filter(
    (literal) =>
      !standsIn(source, literal, false) &&
      (text.length <= READ_MAX || wordPlaces(text, literal).next().done === true),
  );
}

const LIST_MARK = /^[ \t]*\d+[.)][ \t]+/gm;

type Source = { text: string; loose: string; numbers: ReadonlySet<number> };
function createSource(content: string): Source {
  const text = normalizeText(content);
  return { text, loose: loosened(text), numbers: numbersIn(text) };
}

const numberOf = (literal: string): number | null =>
  /^-?\d+(?:\.\d+)?$/.test(literal) ? Number(literal) : null;

/** `asValue`: a small number only counts where it is written as a value. */
function standsIn({ text, loose, numbers }: Source, literal: string, asValue: boolean): boolean {
  const number = numberOf(literal);
  if (number !== null) {
    const isSmall = Math.abs(number) < SMALL;
    return asValue && isSmall ? valuePattern(literal).test(text) : numbers.has(Math.abs(number));
  }
  const words = normalizeText(literal);
  if (!wordPlaces(text, words).next().done) return true;
  const bare = loosened(words);
  // Only signs between the words may differ: `30 6 * * 1-5` is not its digits.
  return bare.length >= words.length * WORDY && loose.includes(bare);
}

/** Smaller numbers stand in any sentence. */
const SMALL = 10;
const WORDY = 0.8;

const valuePattern = (literal: string): RegExp =>
  new RegExp(
    String.raw`(?:[:=#(\[,]\s*["']?|\b(?:ids?|no\.?|number)\s+)${escapeRegExp(literal)}(?![\w.])`,
    'u',
  );
/** Places of a phrase with no letter, digit or `_` right before or behind it. */
function* wordPlaces(text: string, words: string): Generator<number> {
  for (let at = text.indexOf(words); at !== -1;) {
    const end = at + words.length;
    const isWhole =
      !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^[\p{L}\p{N}_]/u.test(text.slice(end, end + 2));
    if (isWhole) yield at;
    at = text.indexOf(words, isWhole ? end : at + 1);
  }
}

/** The text with a string taken out; numbers stay, they hold no shorter literal. */
function without(text: string, literal: string): string {
  if (numberOf(literal) !== null) return text;
  const words = normalizeText(literal);
  let rest = '';
  let from = 0;
  for (const at of wordPlaces(text, words)) {
    rest += `${text.slice(from, at)} ; `;
    from = at + words.length;
  }
  return rest + text.slice(from);
}

const distinct = (literals: readonly string[]): string[] => [
  ...new Map(literals.map((literal) => [normalizeText(literal), literal])).values(),
];

const DOCSTRING = /("""|''')[\s\S]*?\1/g;
const COMMENT = /(?<=^|\s)#(?!\d).*$/gm;
const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)/g;
const DATE = /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const CODE_MIN = 4;
/** A longer string is a sentence or a query: its own literals count. */
const STRING_WORDS_MAX = 8;
const QUERY = /^\s*(?:select|insert|update|delete|with|pragma|create)\b/i;
/** Verifiers' answers; no value of a task. */
const VERDICTS: ReadonlySet<string> = new Set([
  'complete',
  'incomplete',
  'others',
  'result',
  'error',
  'success',
  'passed',
  'failed',
  'true',
  'false',
  'null',
  'none',
]);

/** A string in straight or typographic quotes. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /"([^"\\\n]*(?:\\.[^"\\\n]*)*)"/uy,
  "'": /'([^'\\\n]*(?:\\.[^'\\\n]*)*)'/uy,
  '“': /“([^”\n]*)”/uy,
  '‘': /‘([^’\n]*)’/uy,
  '`': /`([^`\n]*)`/uy,
};
const QUOTE = /(?<![\p{L}\p{N}])["'“‘`]/gu;

/** The strings of a text that are no keys, and the text with `""` for every string. */
function takeQuoted(text: string): { quoted: string[]; bare: string } {
  const quoted: string[] = [];
  let bare = '';
  let at = 0;
  // A quote that nothing closes on its line leaves all of its kind open until there.
  const openUntil = new Map<string, number>();
  QUOTE.lastIndex = 0;
  for (let mark = QUOTE.exec(text); mark !== null; mark = QUOTE.exec(text)) {
    const { 0: quote, index } = mark;
    const pattern = QUOTED[quote];
    if (pattern === undefined || index < (openUntil.get(quote) ?? 0)) continue;
    pattern.lastIndex = index;
    const [whole, value = ''] = pattern.exec(text) ?? [];
    if (whole === undefined) {
      const end = text.indexOf('\n', index);
      openUntil.set(quote, end === -1 ? text.length : end);
      continue;
    }
    const end = index + whole.length;
    if (!isKey(text, index, end)) quoted.push(value.replace(/\\(.)/g, '$1'));
    bare += `${text.slice(at, index)} "" `;
    at = end;
    QUOTE.lastIndex = end;
  }
  return { quoted, bare: bare + text.slice(at) };
}

/** Strings in quotes, numbers, dates, addresses, codes and names of one secret: prose, JSON, SQL or Python. */
function literalsIn(secret: string): string[] {
  const { quoted, bare } = takeQuoted(secret.replace(DOCSTRING, ' ').replace(COMMENT, ' '));
  const dated = bare.replace(DATE, ' ');
  const addressed = withoutEmails(dated);
  return [
    ...quoted.flatMap((value) =>
      QUERY.test(value) || value.trim().split(/\s+/).length > STRING_WORDS_MAX
        ? literalsIn(value)
        : [value.trim()],
    ),
    ...(bare.match(DATE) ?? []),
    ...emailsIn(dated),
    ...codesIn(addressed, 1).filter((code) => code.length >= CODE_MIN),
    ...(addressed.match(NUMBER) ?? []),
    ...namesInText(bare),
  ].filter(isLiteral);
}

/** The key of an object, or a field that is read: `"status": …`, `row["status"]`, `row.get("status")`. */
function isKey(text: string, at: number, end: number): boolean {
  COLON.lastIndex = end;
  const before = text.slice(Math.max(0, at - FIELD_LENGTH), at);
  return (/[{,]\s*$/.test(before) && COLON.test(text)) || /[\w\])]\[\s*$|\.get\(\s*$/.test(before);
}
const FIELD_LENGTH = 24;
const COLON = /\s*:/y;

function isLiteral(literal: string): boolean {
  const number = numberOf(literal);
  if (number !== null) return Math.abs(number) > 1;
  // An escape alone is nothing to look for: `\u005c` is no word, and would be found at every place.
  return (
    literal.length > 1 && /[\p{L}\p{N}]/u.test(normalizeText(literal)) && !VERDICTS.has(literal.toLowerCase())
  );
}
