// Reads facts out of text: addresses, codes, long numbers and names, and texts in a form in which they can be compared.
import { piecesOf } from './truncate.ts';

/** Without the escapes of JSON, in one case and one spacing. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/(?<!\\)\\+[nrt]/g, ' ')
    .replace(/\\+/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** Words alone, with a space before and after each. */
export const loosened = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

const NUMBER_WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
    ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
  ].flatMap((words) => words.map((word, at) => [word, at + 1])),
);
const WORD_PATTERN = new RegExp(
  String.raw`(?<!\p{L})(?:${Object.keys(NUMBER_WORDS).join('|')})(?!\p{L})`,
  'gu',
);
const NUMBER_PATTERN = /\d+(?:,\d{3})*(?:\.\d+)?/g;

/** Every number of a normalized text, those in words and the parts of a decimal too. */
export function numbersIn(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const [found] of text.matchAll(NUMBER_PATTERN)) {
    if (!/[,.]/.test(found)) numbers.add(Number(found));
    else for (const part of [found.replaceAll(',', ''), ...found.split(/[,.]/)]) numbers.add(Number(part));
  }
  for (const [word] of text.matchAll(WORD_PATTERN)) numbers.add(NUMBER_WORDS[word] ?? 0);
  return numbers;
}

export const isYear = (value: number): boolean => value >= 1900 && value <= 2100;

const DATE =
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d(?::\d\d)?/gi;
const EMAIL_DOMAIN = /@[\w-]+(?:\.[\w-]+)+/g;
const EMAIL_USER = /[\w.+-]/;

/** The places of e-mail addresses. Each is read from its @ backwards: a run of letters without one is passed once. */
function* emailPlaces(text: string): Generator<[from: number, to: number]> {
  let before = 0;
  EMAIL_DOMAIN.lastIndex = 0;
  for (let found = EMAIL_DOMAIN.exec(text); found !== null; found = EMAIL_DOMAIN.exec(text)) {
    let from = found.index;
    while (from > before && EMAIL_USER.test(text[from - 1] ?? '')) from -= 1;
    if (from === found.index) EMAIL_DOMAIN.lastIndex = from + 1;
    else {
      before = found.index + found[0].length;
      yield [from, before];
      EMAIL_DOMAIN.lastIndex = before;
    }
  }
}

export const emailsIn = (text: string): string[] =>
  [...emailPlaces(text)].map(([from, to]) => text.slice(from, to));

/** The text with a space for each e-mail address. */
export function withoutEmails(text: string): string {
  let rest = '';
  let at = 0;
  for (const [from, to] of emailPlaces(text)) {
    rest += `${text.slice(at, from)} `;
    at = to;
  }
  return rest + text.slice(at);
}

const CODE_START = /(?<![\w@./-])(?=[\w-]*\d)(?=[\w-]*\p{L})(?=[\p{L}\p{N}])/gu;
const TWO_DIGITS = /[A-Za-z_-]*\d[A-Za-z_-]*\d/y;
const CODE_CHAIN = /[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/uy;
/** A code ends before anything but what belongs to a name or an address. */
const isCodeEnd = (text: string, at: number): boolean =>
  !/[_-]/.test(text[at - 1] ?? '') && !/[\w@\udc00-\udfff]/.test(text[at] ?? '');

/** Words of letters and at least so many digits, joined by `-` or `_`. */
export function codesIn(text: string, digits: 1 | 2): string[] {
  const codes: string[] = [];
  CODE_START.lastIndex = 0;
  for (let start = CODE_START.exec(text); start !== null; start = CODE_START.exec(text)) {
    const from = start.index;
    TWO_DIGITS.lastIndex = from;
    CODE_START.lastIndex = from + 1;
    if (digits === 2 && !TWO_DIGITS.test(text)) continue;
    CODE_CHAIN.lastIndex = from;
    let to = from + (CODE_CHAIN.exec(text)?.[0].length ?? 0);
    // Whatever begins later in the same chain ends nowhere else.
    CODE_START.lastIndex = to;
    while (to > from && !isCodeEnd(text, to)) to -= 1;
    if (to > from) codes.push(text.slice(from, to));
  }
  return codes;
}
const LONG_DIGITS = /(?<![\w.,-])\d{4,}(?!\d)(?![\w.,-]*\d)/g;
/** A code of four characters is too like a size, an hour or a version. */
const CODE_MIN = 5;

/** Addresses, codes of letters and digits, and long numbers. Dates and times are told by many words. */
export const factsInText = (text: string): string[] => [...piecesOf(text)].flatMap(factsInPiece);

function factsInPiece(text: string): string[] {
  const undated = /[-:]/.test(text) ? text.replace(DATE, ' ') : text;
  const emails = emailsIn(undated);
  const rest = withoutEmails(undated);
  const mayHoldCodes = /\d/.test(rest) && /\p{L}/u.test(rest);
  const codes = mayHoldCodes ? codesIn(rest, 2).filter((one) => one.length >= CODE_MIN) : [];
  return [...emails, ...codes, ...(rest.match(LONG_DIGITS) ?? []).filter((one) => !isYear(Number(one)))];
}

const NAME_PATTERN = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu;
/** Names of several words inside a sentence. */
export const namesInText = (text: string): string[] => text.match(NAME_PATTERN) ?? [];
