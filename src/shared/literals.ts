// Reads facts out of text: addresses, codes, long numbers and names, and texts in a form in which they can be compared.

/** Without the escapes of JSON, in one case and one spacing. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrt]/g, ' ')
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
const NUMBER_PATTERN = /\d+(?:,\d{3})*(?:\.\d+)?/g;

/** Every number of a normalized text, those in words and the parts of a decimal too. */
export function numbersIn(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const [found] of text.matchAll(NUMBER_PATTERN)) {
    numbers.add(Number(found.replaceAll(',', '')));
    for (const part of found.split(/[,.]/)) numbers.add(Number(part));
  }
  for (const [word] of text.matchAll(/\p{L}+/gu))
    if (Object.hasOwn(NUMBER_WORDS, word)) numbers.add(NUMBER_WORDS[word] ?? 0);
  return numbers;
}

export const isYear = (value: number): boolean => value >= 1900 && value <= 2100;

const DATE =
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d(?::\d\d)?/gi;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const CODE = /(?<![\w@./-])(?=[\w-]*\d[\w-]*\d)(?=[\w-]*\p{L})[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*(?![\w@])/gu;
const LONG_DIGITS = /(?<![\w.,-])\d{4,}(?![\w.,-]*\d)/g;
/** A code of four characters is too like a size, an hour or a version. */
const CODE_MIN = 5;

/** Addresses, codes of letters and digits, and long numbers. Dates and times are told by many words. */
export function factsInText(text: string): string[] {
  const undated = text.replace(DATE, ' ');
  const emails = undated.match(EMAIL) ?? [];
  const rest = undated.replace(EMAIL, ' ');
  const codes = (rest.match(CODE) ?? []).filter((one) => one.length >= CODE_MIN);
  return [...emails, ...codes, ...(rest.match(LONG_DIGITS) ?? []).filter((one) => !isYear(Number(one)))];
}

const NAME_PATTERN = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu;
/** Names of several words inside a sentence. */
export const namesInText = (text: string): string[] => text.match(NAME_PATTERN) ?? [];
