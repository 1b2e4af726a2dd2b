// Positions of the members and items of a JSON value in its text, so that one place can be changed and every other byte
// stays as it was written. A text that is no JSON throws a `SyntaxError` or gives no spans.
import { isRecord, parseJson } from './json.ts';

export type Span = { from: number; to: number };
/** A member's value, and where its key begins. */
export type MemberSpan = Span & { key: string; keyFrom: number };

const SPACE = new Set([0x20, 0x0a, 0x0d, 0x09]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function skipSpace(text: string, at: number): number {
  let next = at;
  while (SPACE.has(text.charCodeAt(next))) next += 1;
  return next;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) throw new SyntaxError('a string without an end');
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
}

/** The index after the value that begins at `from`. */
export function endOfValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first !== '{' && first !== '[') {
    let at = from;
    while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new SyntaxError('a value without an end');
}

/** The members of the object that begins at `from`. */
export function memberSpans(text: string, from: number): MemberSpan[] {
  const members: MemberSpan[] = [];
  if (text[from] !== '{') return members;
  let at = skipSpace(text, from + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = endOfValue(text, value);
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, keyFrom: at, from: value, to });
    at = skipSpace(text, to);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return members;
}

/** The items of the list that begins at `from`. */
export function itemSpans(text: string, from: number): Span[] {
  const items: Span[] = [];
  if (text[from] !== '[') return items;
  let at = skipSpace(text, from + 1);
  while (at < text.length && text[at] !== ']') {
    const to = endOfValue(text, at);
    items.push({ from: at, to });
    at = skipSpace(text, to);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return items;
}

/** The member that counts: of equal keys the last, as for every parser. */
export const memberSpan = (text: string, from: number, key: string): MemberSpan | undefined =>
  memberSpans(text, from).findLast((member) => member.key === key);

/** The span of the value at a path of keys; null where there is none. */
export function spanAt(text: string, path: readonly string[]): Span | null {
  let span: Span = { from: skipSpace(text, 0), to: text.trimEnd().length };
  for (const key of path) {
    const found = memberSpan(text, span.from, key);
    if (found === undefined) return null;
    span = found;
  }
  return span;
}

export const replaced = (text: string, { from, to }: Span, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

/** The text without one of several spans that commas part, and without its comma. */
export function withoutSpan(text: string, spans: readonly Span[], index: number): string {
  const [before, span, after] = [spans[index - 1], spans[index], spans[index + 1]];
  if (span === undefined) return text;
  if (after !== undefined) return text.slice(0, span.from) + text.slice(after.from);
  if (before !== undefined) return text.slice(0, before.to) + text.slice(span.to);
  // Nothing is left between the brackets.
  const open = text.slice(0, span.from).trimEnd().length;
  return text.slice(0, open) + text.slice(skipSpace(text, span.to));
}

/** Members with their keys. */
export const wholeMembers = (members: readonly MemberSpan[]): Span[] =>
  members.map(({ keyFrom, to }) => ({ from: keyFrom, to }));

/** True if an object in a JSON text has two members of one name: parsers read the last of them alone. */
export function hasEqualKeys(text: string): boolean {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') open.push(new Set());
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      if (text[skipSpace(text, end)] === ':') {
        const key = JSON.parse(text.slice(at, end)) as string;
        if (open.at(-1)?.has(key) === true) return true;
        open.at(-1)?.add(key);
      }
      at = end - 1;
    }
  }
  return false;
}

/**
 * The text with the value at a span made into `wanted`. What says the same stays byte for byte; of equal keys each gets
 * the value.
 */
export const withChanges = (text: string, span: Span, wanted: unknown): string =>
  replaced(text, span, changedValue(text.slice(span.from, span.to), wanted));

function changedValue(text: string, wanted: unknown): string {
  if (text.startsWith('{') && isRecord(wanted)) return changedObject(text, wanted);
  if (text.startsWith('[') && Array.isArray(wanted)) return changedList(text, wanted);
  const json = JSON.stringify(wanted) ?? 'null';
  return JSON.stringify(parseJson(text)) === json ? text : json;
}

const changedSpans = (text: string, spans: readonly Span[], wanted: (at: number) => unknown): string =>
  spans.reduceRight((changed, span, at) => withChanges(changed, span, wanted(at)), text);

function changedObject(text: string, wanted: Record<string, unknown>): string {
  let left = text;
  const gone = (): number => memberSpans(left, 0).findIndex(({ key }) => !Object.hasOwn(wanted, key));
  for (let at = gone(); at !== -1; at = gone())
    left = withoutSpan(left, wholeMembers(memberSpans(left, 0)), at);
  const members = memberSpans(left, 0);
  const known = new Set(members.map(({ key }) => key));
  const added = Object.entries(wanted).filter(([key, value]) => !known.has(key) && value !== undefined);
  const changed = changedSpans(left, members, (at) => wanted[members[at]?.key ?? '']);
  return withAdded(
    changed,
    memberSpans(changed, 0),
    added.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`),
  );
}

function changedList(text: string, wanted: readonly unknown[]): string {
  let left = text;
  for (let items = itemSpans(left, 0); items.length > wanted.length; items = itemSpans(left, 0))
    left = withoutSpan(left, items, items.length - 1);
  const items = itemSpans(left, 0);
  const changed = changedSpans(left, items, (at) => wanted[at]);
  const added = wanted.slice(items.length).map((one) => JSON.stringify(one) ?? 'null');
  return withAdded(changed, itemSpans(changed, 0), added);
}

function withAdded(text: string, spans: readonly Span[], added: readonly string[]): string {
  if (added.length === 0) return text;
  const at = spans.at(-1)?.to ?? 1;
  return `${text.slice(0, at)}${spans.length === 0 ? '' : ', '}${added.join(', ')}${text.slice(at)}`;
}
