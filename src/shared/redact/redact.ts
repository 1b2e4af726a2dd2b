// The one redaction of this product: by the name of a field and by the shape of a value, in values, texts and addresses.
// It covers what is recorded and shown, and never what is sent. Passwords in free prose are not found.
import { isNestedDeeply, isNumber, isRecord, tryExactJson } from '../json.ts';
import { coverConnections } from './connections.ts';
import { createNameReader, isSecretName, isSecretParameter } from './names.ts';
import { replaceMatches } from './replaceMatches.ts';
import { needlesIn, SECRET_SHAPES, type RedactionMark } from './shapes.ts';

/** Replaces a secret in texts and addresses that are shown. */
export const REDACTED = '[redacted]';

/** Text in place of a secret in a record: that something was covered here, and how many characters it had. */
export const redactedOf = (secret: string): string => `[redacted:${String(secret.length)}]`;

const MARK = /\[redacted(?::\d+)*\]/;
const ONLY_MARK = /^\[redacted(?::\d+)*\]$/;

export const holdsMark = (text: string): boolean => text.includes('[redacted') && MARK.test(text);

const plainMark: RedactionMark = () => REDACTED;

const AUTHORITY = /(:\/\/)(?!\[redacted)([^\s/?#@"'\\<>`]{1,400})@(?=[A-Za-z0-9.[_-])/gi;
const QUERY = /([?&#](?:amp;)?)([A-Za-z0-9_.~-]{1,60})=([^\s&#"'\\<>`;,)\]}]{3,})/g;
const SHAPE_BY_NAME = new Map(SECRET_SHAPES.map((shape) => [shape[0], shape]));
/** A query is worth a look only where there is one. */
const HAS_QUERY = /[?&#][A-Za-z0-9_.;~-]{1,64}=/;

/** `https://user:password@host`, not `ssh://git@host`: a name alone is a secret only where it looks like a token. */
function userinfo(scheme: string, user: string, mark: RedactionMark): string | null {
  const colon = user.indexOf(':');
  const password = user.slice(colon + 1);
  const isSecret =
    colon === -1 ? user.length >= 16 && /\d/.test(user) : password !== '' && !isPlaceholder(password);
  return isSecret ? `${scheme}${mark(user)}@` : null;
}

/** True for placeholders in a template or in documentation. */
export const isPlaceholder = (value: string): boolean =>
  /^[${<%*[]|^(?:x+|X+|\.+)$|[{}<>]|\*{3}/.test(value) || MARK.test(value);

function coverQueries(text: string, mark: RedactionMark): string {
  const isNamed = createNameReader();
  return replaceMatches(text, QUERY, ([, lead = '', name = '', value = '']) => {
    const { isSecret, isShort } = isSecretParameter(name, isNamed);
    if (!isSecret || isPlaceholder(value) || (isShort && !isRandom(value))) return null;
    return `${lead}${name}=${mark(value)}`;
  });
}

/** True if a value looks made by chance rather than written: long enough, letters and digits, little repeated. */
export function isRandom(value: string): boolean {
  if (value.length < 12 || /\s/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= 3;
}

/** The text with every secret that its shape gives away replaced. A text without any is returned as it is. */
export function redactText(text: string, mark: RedactionMark = plainMark): string {
  let clean = text;
  for (const needle of needlesIn(text)) {
    const [, shape, isWhole] = SHAPE_BY_NAME.get(needle) ?? [];
    if (shape !== undefined)
      clean = clean.replace(shape, (found: string, kept: string | number) => {
        const lead = typeof kept === 'string' ? kept : '';
        return isWhole?.(found) === false ? found : `${lead}${mark(found.slice(lead.length))}`;
      });
  }
  if (clean.includes('://') && clean.includes('@')) {
    clean = replaceMatches(clean, AUTHORITY, ([, scheme = '', user = '']) => userinfo(scheme, user, mark));
  }
  clean = coverConnections(clean, mark);
  return HAS_QUERY.test(clean) ? coverQueries(clean, mark) : clean;
}

export const holdsSecret = (text: string): boolean => redactText(text) !== text;

/** Looser shapes, for messages of servers and programs, where a word too many does no harm. */
const LOOSE_KEY = /(?:\b|(?<=\\[nrt]))(?:sk|pk|rk|gsk|xai|hf|key)[-_][A-Za-z0-9_*.-]{8,}/g;
/** The text before each is kept: to look back for it at every character would take ten times as long. */
const LOOSE: readonly RegExp[] = [
  /((?:\b|(?<=\\[nrt]))(?:Bearer|Basic)\s{1,20})[A-Za-z0-9+/._~=-]{8,}/gi,
  /([?&](?:api[-_]?key|key|token|access_token|code|sig)=)(?!\[redacted)[^&\s"']+/gi,
  /((?:\b|(?<=\\[nrt]))(?:api[-_]?key|password|passwd|pwd|secret|token|authorization)["']?\s{0,20}[:=]\s{0,20}["'])(?!\[redacted)[^"'\s]{3,}(?=["'])/gi,
];
/** A shorter value would blank out ordinary words. */
const SHORTEST_KNOWN = 6;
/** A longer text is no key, but holds many. */
const LONGEST_KNOWN = 16_384;

/** A message fit to be shown and kept: without the given secrets, and without whatever looks like one. */
export function redactMessage(text: string, known: readonly (string | null)[] = []): string {
  let clean = text;
  for (const secret of known) {
    if (secret !== null && secret.length >= SHORTEST_KNOWN) clean = clean.replaceAll(secret, REDACTED);
  }
  clean = redactText(clean);
  clean = clean.replace(LOOSE_KEY, (found) => (/[\d*]/.test(found) ? REDACTED : found));
  for (const shape of LOOSE) clean = clean.replace(shape, `$1${REDACTED}`);
  return clean;
}

const NAME_FIELDS: ReadonlySet<string> = new Set(
  'name key header field variable env k option flag'.split(' '),
);
const VALUE_FIELDS: ReadonlySet<string> = new Set('value val v'.split(' '));
/** Deeper values are cut out whole: no schema goes that deep. */
const DEEPEST = 200;

/** A copy of a JSON value in which the secrets are covered, by name and by shape. Nothing found: the value itself. */
export function redactJson<T>(value: T, mark: RedactionMark = redactedOf): T {
  return walk(value, mark, DEEPEST) as T;
}

/** The secrets of a JSON value, each as it stands there: what has to be covered wherever else it shows up. */
export function secretsOf(value: unknown): string[] {
  const found = new Set<string>();
  redactJson(value, (secret) => {
    found.add(secret);
    return redactedOf(secret);
  });
  return [...found];
}

/**
 * Texts to cover elsewhere so that none of these secrets stands there: each as it is, the password of `user:password`
 * alone, and what stood percent-encoded in an address. A short or plain word is left out: covering every "admin" of an
 * episode would spoil the record and hide nothing.
 */
export const echoesOf = (secrets: readonly string[]): string[] =>
  [
    ...new Set(
      secrets
        .filter(({ length }) => length <= LONGEST_KNOWN)
        .flatMap((secret) => [secret, ...passwordIn(secret)])
        .flatMap((one) => [one, decodeQuery(one)]),
    ),
  ]
    .filter(isDistinct)
    .toSorted((a, b) => b.length - a.length);

const passwordIn = (secret: string): string[] => {
  const password = /^(?:(?:Bearer|Basic|Token) +|[^\s:]+:)(\S+)$/i.exec(secret)?.[1];
  return password === undefined ? [] : [password];
};

function decodeQuery(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

/** Two kinds of characters (a capital at the front is none), or too long for a word. */
function isDistinct(secret: string): boolean {
  if (secret.length >= 16) return true;
  const kinds = [/[a-z]/i, /\d/, /[^A-Za-z0-9]/, /.[A-Z]/].filter((kind) => kind.test(secret));
  return secret.length >= SHORTEST_KNOWN && kinds.length >= 2;
}

/** The text with these secrets covered, also where JSON has escaped them, once or twice. */
export function coverEchoes(
  text: string,
  echoes: readonly string[],
  mark: RedactionMark = redactedOf,
): string {
  let clean = text;
  for (const secret of echoes) {
    for (const spelling of spellingsOf(secret)) {
      if (clean.includes(spelling)) clean = clean.replaceAll(spelling, mark(secret));
    }
  }
  return clean;
}

/** As it may stand in a text: as it is, and escaped by JSON once or twice. */
export function spellingsOf(secret: string): Set<string> {
  const once = JSON.stringify(secret).slice(1, -1);
  const ascii = once.replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const twice = [once, ascii].map((text) => JSON.stringify(text).slice(1, -1));
  const slashed = once.replaceAll('/', String.raw`\/`);
  return new Set([secret, ascii, ...twice, once, slashed, encodeURIComponent(secret.toWellFormed())]);
}

function walk(value: unknown, mark: RedactionMark, depth: number): unknown {
  if (typeof value === 'string') return redactString(value, mark, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return REDACTED;
  if (Array.isArray(value)) return walkArray(value, mark, depth);
  return walkObject(value as Record<string, unknown>, mark, depth);
}

function walkObject(value: Record<string, unknown>, mark: RedactionMark, depth: number): unknown {
  const entries = Object.entries(value);
  // `{name: 'API_KEY', value: …}` names its value beside it.
  const isNamed = entries.some(
    ([field, name]) => NAME_FIELDS.has(field.toLowerCase()) && typeof name === 'string' && isSecretName(name),
  );
  let isChanged = false;
  const clean = entries.map(([field, one]): [string, unknown] => {
    const isSecret = isSecretName(field) || (isNamed && VALUE_FIELDS.has(field.toLowerCase()));
    const after = isSecret ? coverNamed(field, one, mark, depth - 1) : walk(one, mark, depth - 1);
    isChanged ||= after !== one;
    return [field, after];
  });
  return isChanged ? Object.fromEntries(clean) : value;
}

/** Lists of headers and arguments name a value just before it: `['Authorization', '…']`, `['--api-key', '…']`. */
function walkArray(value: readonly unknown[], mark: RedactionMark, depth: number): unknown {
  let isChanged = false;
  const clean = value.map((one, at) => {
    const before = value[at - 1];
    const isNamed =
      typeof one === 'string' &&
      typeof before === 'string' &&
      isListName(before, value.length) &&
      !isListName(one, 0);
    const after = isNamed ? coverAll(one, mark, depth - 1) : walk(one, mark, depth - 1);
    isChanged ||= after !== one;
    return after;
  });
  return isChanged ? clean : value;
}

/** A word among others names what follows it only where it is written as a flag, a header or a variable, or in a pair. */
const isListName = (text: string, length: number): boolean =>
  isSecretName(text) &&
  (length === 2 || /^--?[a-z]|^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*$|^[A-Z][A-Z0-9_]+$/.test(text));

/** A container of another name inside (`auth: {type, user}`) is looked through; the plain ones are covered whole. */
function coverNamed(name: string, value: unknown, mark: RedactionMark, depth: number): unknown {
  return isRecord(value) && /auth(?:orization)?$/i.test(name)
    ? walk(value, mark, depth)
    : coverAll(value, mark, depth);
}

function coverAll(value: unknown, mark: RedactionMark, depth: number): unknown {
  if (typeof value === 'string') return value === '' || ONLY_MARK.test(value) ? value : mark(value);
  if (isNumber(value)) return Math.abs(Number(value)) >= 1000 ? mark(String(value)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0) return REDACTED;
  const fields: [string, unknown][] = Object.entries(value);
  const clean = fields.map(([field, one]): [string, unknown] => [field, coverAll(one, mark, depth - 1)]);
  if (clean.every(([, one], at) => one === fields[at]?.[1])) return value;
  return Array.isArray(value) ? clean.map(([, one]) => one) : Object.fromEntries(clean);
}

/** The text before a value in `NAME=value` and `export NAME="value"`. */
const ASSIGNMENT = /^\s*(?:export\s+|-{1,2})?([A-Za-z][A-Za-z0-9_.-]{1,60})\s*[=:]\s*["']?/;
const VALUE_MIN = 3;

function assignmentIn(text: string): { lead: string; name: string; value: string } | null {
  const [lead = '', name] = ASSIGNMENT.exec(text) ?? [];
  const rest = text.slice(lead.length);
  const end = rest.trimEnd().length;
  const isQuoted = /["']/.test(rest[end - 1] ?? '');
  const value = rest.slice(0, Math.max(VALUE_MIN, isQuoted ? end - 1 : end));
  const isOne = value.length >= VALUE_MIN && /^[^\s"'][^"'\n]+$/.test(value);
  return name !== undefined && isOne ? { lead, name, value } : null;
}

/** A string: JSON inside it, `NAME=value` that is all of it, then whatever its shape gives away. */
function redactString(text: string, mark: RedactionMark, depth: number): string {
  if (depth > 0) {
    const inner = jsonIn(text);
    if (inner !== undefined && text.includes('"')) {
      const clean = walk(inner, mark, depth - 1);
      return clean === inner ? text : JSON.stringify(clean);
    }
  }
  const assigned = assignmentIn(text);
  if (assigned !== null && isSecretName(assigned.name)) {
    const { lead, value } = assigned;
    // `password: with words after it` is prose; a value has no spaces, or is a header's.
    const isValue = !/\s/.test(value) || /^(?:Bearer|Basic|Token) \S+$/i.test(value);
    if (isValue && !isPlaceholder(value)) {
      return `${lead}${mark(value)}${text.slice(lead.length + value.length)}`;
    }
  }
  return redactText(text, mark);
}

/** The object or list that a text of JSON is; undefined for any other text. To parse a text that is none takes long. */
export function jsonIn(text: string): unknown {
  const isClosed = text.trimEnd().at(-1) === { '{': '}', '[': ']' }[text.trimStart()[0] ?? ''];
  return isClosed && !isNestedDeeply(text) ? tryExactJson(text) : undefined;
}

/** A JSON value without what was covered in it: for doing again what the log holds only covered. */
export function withoutMarks<T>(value: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([, one]) => !MARK.test(typeof one === 'string' ? one : (JSON.stringify(one) ?? '')),
    ),
  );
}
