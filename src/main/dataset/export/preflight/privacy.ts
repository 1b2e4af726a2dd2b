// Finds what must never leave (keys, passwords, and fields and folders that name this machine) and warns of what may be
// personal, in rows and in the events that lie beside them: rows may leave out secrets that the whole episode holds.
import type { Finding } from '../../../../shared/contract/export.ts';
import { escapeRegExp } from '../../../../shared/escapeRegExp.ts';
import { isSecretName } from '../../../../shared/redact/names.ts';
import { holdsMark, holdsSecret, isRandom, redactText } from '../../../../shared/redact/redact.ts';
import type { StoredRow } from '../../../log/eventReader.ts';
import type { Format } from '../format.ts';
import type { YieldToOthers } from '../pace.ts';
import { type RowCheck, type SeenRow, plainText } from './seenRow.ts';

type Shapes = readonly (readonly [needle: string, shape: RegExp])[];

/** One look for all the words at once takes a third of the time of one for each. */
function finder(shapes: Shapes): (text: string) => boolean {
  const words = shapes.map(([needle]) => escapeRegExp(needle));
  const any = new RegExp(words.join('|'));
  return (text) =>
    any.test(text) && shapes.some(([needle, shape]) => text.includes(needle) && shape.test(text));
}

export const holdsKey = holdsSecret;

/** A line of JSON with whatever looks like a key replaced; its strings stay strings. */
export const withoutKeys = (line: string, instead: string): string => redactText(line, () => instead);

const NAMED_VALUE = /"([\w.-]{3,80})(?=\\*"\s*:\s*\\*"([^"\\\s]{12,400})\\*")/g;
const SECRET_NAME = /^[\w.-]{0,60}(?:pass|pwd|secret|token|key|auth|cookie|cred|jwt|bearer)[\w.-]{0,60}$/i;

/** A field named like a password or key whose value looks made by chance, in texts that are JSON themselves too. */
export function holdsNamedSecret(line: string): boolean {
  for (const [, name = '', value = ''] of line.matchAll(NAMED_VALUE)) {
    if (SECRET_NAME.test(name) && isSecretName(name) && isRandom(value) && !holdsMark(value)) return true;
  }
  return false;
}

/** Fields of the environment's host that a log may carry and a data set never does. */
const KEY_FIELDS = ['llm_api_key'] as const;
const PLACE_FIELDS = ['api_url', 'session_dir', 'trajectory_path'] as const;
export const FORBIDDEN_FIELDS = [...KEY_FIELDS, ...PLACE_FIELDS] as const;

/** Finds such a field with a value, in texts that are JSON themselves too. What stands in a value's place is none. */
function fieldFinder(fields: readonly string[]): (line: string) => boolean {
  const withValue = new RegExp(
    `"(?:${fields.join('|')})\\\\*"\\s*:\\s*\\\\*"(?!\\[(?:redacted(?::\\d+)*|left out)\\]\\\\*")[^"\\\\]`,
  );
  return (line) => fields.some((name) => line.includes(name)) && withValue.test(line);
}
const holdsForbidden = fieldFinder(FORBIDDEN_FIELDS);
const holdsKeyField = fieldFinder(KEY_FIELDS);
const holdsPlaceField = fieldFinder(PLACE_FIELDS);

const MACHINE_PATHS: Shapes = [
  ['/home/', /\/home\/[\w.-]+\/[\w.-]/],
  ['/Users/', /\/Users\/[\w.-]+\/[\w.-]/],
  ['/tmp/', /(?<![\w/])\/tmp\/[\w.-]+/],
  ['/root/', /(?<![\w/])\/root\/[\w.-]+/],
  ['/var/folders/', /\/var\/folders\/\w/],
  [':\\\\', /(?<![A-Za-z])[A-Za-z]:\\\\(?:Users|Documents and Settings)\\\\/],
  ['file://', /file:\/\/\/\w/],
];

const holdsPlace = finder(MACHINE_PATHS);

/** A format of every frame as it came holds them by definition. */
const isLossless = ({ id }: Pick<Format, 'id'>): boolean => id === 'events';

export const secretChecks: readonly RowCheck[] = [
  {
    check: 'secrets',
    level: 'error',
    says: 'hold what looks like a key, a token or a password in an address; erase the text from the log first',
    finds: ({ text }) => holdsKey(text),
  },
  {
    check: 'named_secrets',
    level: 'warning',
    says: 'hold a field named like a password or a key, with a value that looks like one: see that it is the world’s own',
    finds: ({ line }) => holdsNamedSecret(line),
  },
  {
    check: 'forbidden_fields',
    level: 'error',
    says: `hold a field that names a key or a place of the environment’s host (${FORBIDDEN_FIELDS.join(', ')})`,
    applies: (format) => !isLossless(format),
    finds: ({ line }) => holdsForbidden(line),
  },
  {
    check: 'forbidden_fields',
    level: 'error',
    says: `hold a field that names a key of the environment’s host (${KEY_FIELDS.join(', ')})`,
    applies: isLossless,
    finds: ({ line }) => holdsKeyField(line),
  },
  {
    check: 'forbidden_fields',
    level: 'warning',
    says: `hold a field that names a place of the environment’s host (${PLACE_FIELDS.join(', ')}), as a lossless bundle has it: see that you may give it away`,
    applies: isLossless,
    finds: ({ line }) => holdsPlaceField(line),
  },
  {
    check: 'local_paths',
    level: 'warning',
    says: 'name a file or folder of somebody’s machine',
    finds: ({ text }) => holdsPlace(text),
  },
];

// Possible personal data is only warned of: the built-in worlds are full of invented people.

/** Names that are reserved for examples belong to nobody. */
const EXAMPLES = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$/i;
const ADDRESS = /(?<=[A-Za-z0-9._%+-])@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)/g;

export function holdsEmail(text: string): boolean {
  if (!text.includes('@')) return false;
  for (const [, domain = ''] of text.matchAll(ADDRESS)) if (!EXAMPLES.test(domain)) return true;
  return false;
}

/** Digits with what stands between them in numbers people write; most are none of these, so each is looked at closely. */
const NUMBERS = /(?<![\w.+-])\+?\(?\d(?:[ ().-]{0,2}\d){8,18}(?![\w-])/g;
const ABROAD = /^\+\d[\d ().-]+$/;
/** A measurement: nobody writes a card number with one point in it. */
const DECIMAL = /^\d+\.\d+$/;
const NORTH_AMERICAN = /^(?:1[ .-])?\(?[2-9]\d\d(?:\) ?|[ .-])[2-9]\d\d[ .-]\d{4}$/;
const SOCIAL_SECURITY = /^(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/;

type NumberKind = 'phone' | 'card' | 'id' | null;

/** Guesses the kind of a run of digits. */
export function kindOfNumber(found: string): NumberKind {
  const digits = found.replace(/\D/g, '');
  if (SOCIAL_SECURITY.test(found)) return 'id';
  if (ABROAD.test(found)) return digits.length <= 15 ? 'phone' : null;
  if (NORTH_AMERICAN.test(found)) return 'phone';
  return !DECIMAL.test(found) && isCard(digits) ? 'card' : null;
}

/** Lengths and first digits that are issued, and the check digit (Luhn). */
function isCard(digits: string): boolean {
  if (!/^(?:3[47]\d{13}|(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6\d{3}|3\d{3})\d{12}(?:\d{3})?)$/.test(digits))
    return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const IBAN = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])/g;

/** An account number whose check digits are right. */
export function holdsIban(text: string): boolean {
  for (const [found] of text.matchAll(IBAN)) {
    const plain = found.replaceAll(' ', '');
    const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
      String(letter.charCodeAt(0) - 55),
    );
    let rest = 0;
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
    if (rest === 1 && plain.length <= 34) return true;
  }
  return false;
}

const kindsBySeen = new WeakMap<SeenRow, ReadonlySet<NumberKind>>();

/** True if a row holds a number of a kind. Its numbers are read once for all kinds. */
function holdsNumber(seen: SeenRow, kind: Exclude<NumberKind, null>): boolean {
  let kinds = kindsBySeen.get(seen);
  if (kinds === undefined) {
    kinds = new Set([...seen.text.matchAll(NUMBERS)].map(([found]) => kindOfNumber(found)));
    kindsBySeen.set(seen, kinds);
  }
  return kinds.has(kind);
}

function holdsPersonal(text: string): boolean {
  if (holdsEmail(text) || holdsIban(text)) return true;
  for (const [found] of text.matchAll(NUMBERS)) if (kindOfNumber(found) !== null) return true;
  return false;
}

export const personalChecks: readonly RowCheck[] = [
  {
    check: 'email_addresses',
    level: 'warning',
    says: 'hold an e-mail address (those of example domains are not counted)',
    finds: ({ text }) => holdsEmail(text),
  },
  {
    check: 'phone_numbers',
    level: 'warning',
    says: 'hold what looks like a telephone number',
    finds: (seen) => holdsNumber(seen, 'phone'),
  },
  {
    check: 'card_numbers',
    level: 'warning',
    says: 'hold a number that is a valid payment card’s, or an IBAN',
    finds: (seen) => holdsNumber(seen, 'card') || holdsIban(seen.text),
  },
  {
    check: 'national_ids',
    level: 'warning',
    says: 'hold what looks like a social security number',
    finds: (seen) => holdsNumber(seen, 'id'),
  },
];

type EventCheck = {
  check: string;
  /** Of episodes. */
  says: string;
  finds: (text: string) => boolean;
};

/** The same look as at rows; keys are left out of the file, so that nothing here stands in the way of writing it. */
const EVENT_CHECKS: readonly EventCheck[] = [
  {
    check: 'events_secrets',
    says: 'what looks like a key, a token or a password in an address; [left out] stands in its place there. Erase it from the log',
    finds: holdsKey,
  },
  {
    check: 'events_named_secrets',
    says: 'a field named like a password or a key, with a value that looks like one: see that it is the world’s own',
    finds: holdsNamedSecret,
  },
  {
    check: 'events_paths',
    says: 'the name of a file or folder of somebody’s machine',
    finds: holdsPlace,
  },
  {
    check: 'events_personal',
    says: 'what may be about a person: an e-mail address, a telephone, card or social security number',
    finds: holdsPersonal,
  },
];

/** Findings in the events of one episode: a bit for each check, and where each was found first. */
export type EventMarks = { bits: number; at: readonly number[] };

/** Long texts that lie beside the log are read by `loadText`. Others have their turn between one look and the next. */
export async function eventMarks(
  rows: readonly Pick<StoredRow, 'n' | 'body'>[],
  loadText: (body: string) => string,
  pace: YieldToOthers,
): Promise<EventMarks> {
  let bits = 0;
  const at = EVENT_CHECKS.map(() => -1);
  const all = (1 << EVENT_CHECKS.length) - 1;
  for (const { n, body } of rows) {
    const text = plainText(loadText(body));
    for (const [bit, { finds }] of EVENT_CHECKS.entries()) {
      await pace();
      if ((bits & (1 << bit)) !== 0 || !finds(text)) continue;
      bits |= 1 << bit;
      at[bit] = n;
    }
    if (bits === all) break;
  }
  return { bits, at };
}

/** Places of a finding that can be jumped to. */
const EVENT_PLACES_MAX = 20;

export function eventFindings(marked: Iterable<{ episode: string; marks: EventMarks }>): Finding[] {
  const found = EVENT_CHECKS.map((): { count: number; at: Finding['at'] } => ({ count: 0, at: [] }));
  for (const { episode, marks } of marked) {
    found.forEach((one, bit) => {
      if ((marks.bits & (1 << bit)) === 0) return;
      one.count += 1;
      if (one.at.length < EVENT_PLACES_MAX) one.at.push({ episode, n: marks.at[bit] ?? null });
    });
  }
  return EVENT_CHECKS.flatMap(({ check, says }, bit) => {
    const { count, at } = found[bit] ?? { count: 0, at: [] };
    if (count === 0) return [];
    const episodes =
      count === 1
        ? 'the events of 1 episode hold'
        : `the events of ${count.toLocaleString('en')} episodes hold`;
    return [{ check, level: 'warning' as const, message: `In events.jsonl ${episodes} ${says}.`, count, at }];
  });
}
