// Finds facts in a trained turn that stand nowhere in what the agent had read before it: ids, addresses or names that
// only somebody with the answer can have given. They are what is left of an expert that was taken out of a
// conversation.
import { parseArguments } from './replies.ts';
import { replyMoves } from './replyMoves.ts';
import type { TranscriptLine } from './transcriptLine.ts';

/** The facts of every taught reply that nothing before it tells, as `key: value` or as the words themselves. */
export function unknowableFacts(
  {
    read,
    taught,
    tools,
  }: { read: readonly TranscriptLine[]; taught: readonly TranscriptLine[]; tools: readonly unknown[] },
  trains: (line: TranscriptLine) => boolean,
): string[] {
  const sources: KnownSource[] = tools.length === 0 ? [] : [toolSource(tools)];
  // What the agent says itself is no source: it may have it from advice that is gone.
  const take = (line: TranscriptLine): void =>
    void (line.kind === 'reply' || sources.push(sourceOfLine(line)));
  read.forEach(take);
  const found: string[] = [];
  for (const line of taught) {
    if (line.kind === 'reply' && trains(line)) found.push(...unknownIn(line, createKnown(sources)));
    take(line);
  }
  return [...new Set(found)];
}

type KnownSource = { text: string; loose: string; numbers: ReadonlySet<number>; isTools: boolean };
const bySource = new WeakMap<object, KnownSource>();

const sourceOfLine = (line: TranscriptLine): KnownSource => remembered(line, line.content, false);
const toolSource = (tools: readonly unknown[]): KnownSource => remembered(tools, JSON.stringify(tools), true);

/** Rows of one episode share their lines. */
function remembered(of: object, content: string, isTools: boolean): KnownSource {
  const known = bySource.get(of);
  if (known !== undefined) return known;
  const text = normalizeText(content);
  const made = { text, loose: loosened(text), numbers: numbersIn(text), isTools };
  bySource.set(of, made);
  return made;
}

/** Without the escapes of JSON, in one case and one spacing. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrt]/g, ' ')
    .replace(/\\+/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
const loosened = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

const NUMBER_WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
    ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
  ].flatMap((words) => words.map((word, at) => [word, at + 1])),
);
const NUMBER_PATTERN = /\d+(?:,\d{3})*(?:\.\d+)?/g;
const FIELD = /"?(\w+)"?\s*:\s*(-?\d+(?:\.\d+)?)(?![\w-])/g;

/** Every number, those in words, and the sum of each field: an answer may add up what it read. */
function numbersIn(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const [found] of text.matchAll(NUMBER_PATTERN)) {
    numbers.add(Number(found.replaceAll(',', '')));
    for (const part of found.split(/[,.]/)) numbers.add(Number(part));
  }
  for (const [word] of text.matchAll(/\p{L}+/gu))
    if (Object.hasOwn(NUMBER_WORDS, word)) numbers.add(NUMBER_WORDS[word] ?? 0);
  const sums = new Map<string, number>();
  for (const [, key = '', value] of text.matchAll(FIELD)) sums.set(key, (sums.get(key) ?? 0) + Number(value));
  for (const sum of sums.values()) numbers.add(sum);
  return numbers;
}

type Knowledge = {
  says: (text: string) => boolean;
  /** `isId`: a default or a limit that a schema names is no record's id. */
  hasNumber: (value: number, isId: boolean) => boolean;
  isDerived: (value: number) => boolean;
};

/** Pairs of numbers that are tried: of a long conversation the last ones. */
const DERIVED_MAX = 300;

function createKnown(sources: readonly KnownSource[]): Knowledge {
  const hasNumber: Knowledge['hasNumber'] = (value, isId) =>
    sources.some(({ numbers, isTools }) => !(isId && isTools) && numbers.has(value));
  return {
    says: (text) => {
      const words = normalizeText(text);
      const loose = loosened(words);
      return sources.some((source) => source.text.includes(words) || source.loose.includes(loose));
    },
    hasNumber,
    isDerived: (value) => {
      const numbers = sources.flatMap(({ numbers: all }) => [...all]).slice(-DERIVED_MAX);
      if (numbers.some((one) => Math.round(one) === value)) return true;
      return numbers.some((a) =>
        [
          value - a,
          a - value,
          value + a,
          value / a,
          a / value,
          (value / a) * 100,
          (value / a - 1) * 100,
        ].some((b) => Number.isFinite(b) && numbers.some((one) => Math.abs(one - b) < 1e-6)),
      );
    },
  };
}

function unknownIn(line: TranscriptLine, known: Knowledge): string[] {
  const called = replyMoves(line).flatMap(({ args }) => literalsIn(args));
  const words = line.content.replace(/<tool_call>[\s\S]*?(?:<\/tool_call>|$)/g, ' ');
  return [
    ...called.flatMap(({ key, value }) => (isUnknown(key, value, known) ? [`${key}: ${String(value)}`] : [])),
    ...called.flatMap(({ value }) =>
      typeof value === 'string' ? factsInText(value).filter((one) => isNews(one, known)) : [],
    ),
    ...[words, line.reasoning ?? ''].flatMap((text) =>
      [...factsInText(text), ...namesInText(text)].filter((one) => isNews(one, known)),
    ),
  ];
}

type Literal = { key: string; value: string | number };

/** Strings and numbers of a call's arguments, each under the key it stands at. A text that is JSON is looked into. */
function literalsIn(value: unknown, key = ''): Literal[] {
  if (typeof value === 'number') return [{ key, value }];
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? parseArguments(value) : null;
    return inner === null || Object.hasOwn(inner, 'raw') ? [{ key, value }] : literalsIn(inner, key);
  }
  if (Array.isArray(value)) return value.flatMap((one) => literalsIn(one, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => literalsIn(inner, name));
}

/** Keys whose values name a record or a person, which nobody makes up. */
const ID_KEY = /(?:^|_)(?:ids?|uuid|guid|sku|slug|email|username)$|(?:Ids?|Uuid|Email)$/i;
const PERSON_KEY =
  /(?:^|_)(?:owner|user|assignee|author|contact|customer|person|recipient|member)(?:_name)?$/i;
/** A default, a page or a count: any agent may choose it. */
const LEAST_SPECIAL = 1000;

function isUnknown(key: string, value: string | number, known: Knowledge): boolean {
  const isId = ID_KEY.test(key);
  const number = typeof value === 'number' ? value : /^\d+$/.test(value.trim()) ? Number(value) : null;
  if (number !== null) {
    if (known.hasNumber(number, isId)) return false;
    if (isId) return number !== 0 && !(typeof value === 'string' && known.says(value));
    return number >= LEAST_SPECIAL && number % 10 !== 0 && !isYear(number) && !known.isDerived(number);
  }
  const words = String(value);
  if (words.trim() === '' || known.says(words)) return false;
  return isId || (PERSON_KEY.test(key) && /^\p{Lu}/u.test(words));
}

const isYear = (value: number): boolean => value >= 1900 && value <= 2100;

const DATE =
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d(?::\d\d)?/gi;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const CODE = /(?<![\w@./-])(?=[\w-]*\d[\w-]*\d)(?=[\w-]*\p{L})[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*(?![\w@])/gu;
const LONG_DIGITS = /(?<![\w.,-])\d{4,}(?![\w.,-]*\d)/g;
/** A code of four characters is too like a size, an hour or a version. */
const CODE_MIN = 5;

/** Addresses, codes of letters and digits, and long numbers. Dates and times are told by many words. */
function factsInText(text: string): string[] {
  const undated = text.replace(DATE, ' ');
  const emails = undated.match(EMAIL) ?? [];
  const rest = undated.replace(EMAIL, ' ');
  const codes = (rest.match(CODE) ?? []).filter((one) => one.length >= CODE_MIN);
  return [...emails, ...codes, ...(rest.match(LONG_DIGITS) ?? []).filter((one) => !isYear(Number(one)))];
}

const NAME_PATTERN = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu;
const namesInText = (text: string): string[] => text.match(NAME_PATTERN) ?? [];

function isNews(fact: string, known: Knowledge): boolean {
  if (/^\d+$/.test(fact)) {
    const number = Number(fact);
    return (
      !known.hasNumber(number, false) && !known.says(fact) && number % 10 !== 0 && !known.isDerived(number)
    );
  }
  if (known.says(fact)) return false;
  const isName = /^\p{Lu}\p{Ll}+ /u.test(fact);
  // A name of which nothing was read; one in another order or form was.
  return isName ? fact.split(' ').every((word) => !known.says(word)) : true;
}
