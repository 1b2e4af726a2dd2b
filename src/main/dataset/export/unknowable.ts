// Finds facts in a trained turn that stand nowhere in what the agent had read before it: ids, addresses or names that
// only somebody with the answer can have given. They are what is left of an expert that was taken out of a
// conversation.
import {
  factsInText,
  isYear,
  loosened,
  namesInText,
  normalizeText,
  numbersIn,
} from '../../../shared/literals.ts';
import { CALL_IN_TEXT, parseArguments, replyMoves, type TranscriptLine } from './transcriptLine.ts';
import { isNumber } from '../../../shared/json.ts';

/** The facts of every taught reply that nothing before it tells, as `key: value` or as the words themselves. */
export function unknowableFacts(
  {
    read,
    taught,
    tools,
  }: { read: readonly TranscriptLine[]; taught: readonly TranscriptLine[]; tools: readonly unknown[] },
  trains: (line: TranscriptLine) => boolean,
): string[] {
  const sources: KnownSource[] = tools.length === 0 ? [] : [remembered(tools, JSON.stringify(tools), true)];
  // What the agent says itself is no source: it may have it from advice that is gone.
  const take = (line: TranscriptLine): void =>
    void (line.kind === 'reply' || sources.push(remembered(line, line.content, false)));
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

/** Rows of one episode share their lines. */
function remembered(of: object, content: string, isTools: boolean): KnownSource {
  const known = bySource.get(of);
  if (known !== undefined) return known;
  const text = normalizeText(content);
  const made = { text, loose: loosened(text), numbers: numbersAndSums(text), isTools };
  bySource.set(of, made);
  return made;
}

const FIELD = /(?<!\w)"?(\w+)"?\s*:\s*(-?\d+(?:\.\d+)?)(?![\w-])/g;

/** Every number, and the sum of each field: an answer may add up what it read. */
function numbersAndSums(text: string): Set<number> {
  const numbers = numbersIn(text);
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
  const words = line.content.replace(CALL_IN_TEXT, ' ');
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
  if (isNumber(value)) return [{ key, value: Number(value) }];
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
