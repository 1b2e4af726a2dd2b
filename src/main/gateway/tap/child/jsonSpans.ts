// Changes one place of a JSON text and leaves every other byte as it is, so that numbers keep their spelling.

export type JsonSpan = { start: number; end: number };
type JsonMember = { key: string; whole: JsonSpan; value: JsonSpan };

const JSON_SPACE = new Set([0x20, 0x0a, 0x0d, 0x09]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const skipJsonSpace = (text: string, at: number): number => {
  let next = at;
  while (JSON_SPACE.has(text.charCodeAt(next))) next += 1;
  return next;
};

function skipString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) throw new SyntaxError('a string without an end');
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
}

function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = skipString(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new SyntaxError('a value without an end');
}

/** The members of the object that starts at `start`. The text is known to be JSON. */
export function membersAt(text: string, start: number): JsonMember[] {
  const members: JsonMember[] = [];
  let at = skipJsonSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const valueStart = skipJsonSpace(text, skipJsonSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    members.push({
      key: JSON.parse(text.slice(at, keyEnd)) as string,
      whole: { start: at, end: valueEnd },
      value: { start: valueStart, end: valueEnd },
    });
    at = skipJsonSpace(text, valueEnd);
    if (text[at] !== ',') break;
    at = skipJsonSpace(text, at + 1);
  }
  return members;
}

/** The elements of the array that starts at `start`; none where there is no array. */
export function elementsAt(text: string, start: number): JsonSpan[] {
  if (text[start] !== '[') return [];
  const elements: JsonSpan[] = [];
  let at = skipJsonSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const end = skipValue(text, at);
    elements.push({ start: at, end });
    at = skipJsonSpace(text, end);
    if (text[at] !== ',') break;
    at = skipJsonSpace(text, at + 1);
  }
  return elements;
}

/** Where the value at a path of keys stands, or null. The last of equal keys counts, as it does for every parser. */
export function spanOf(text: string, path: readonly string[]): JsonSpan | null {
  let span: JsonSpan = { start: skipJsonSpace(text, 0), end: text.length };
  for (const key of path) {
    if (text[span.start] !== '{') return null;
    const found = membersAt(text, span.start).findLast((member) => member.key === key);
    if (found === undefined) return null;
    span = found.value;
  }
  return span;
}

export const replaceSpan = (text: string, { start, end }: JsonSpan, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** The text with one member more (or another value for it) in the object at a path; null where there is no object. */
export function withMember(
  text: string,
  path: readonly string[],
  key: string,
  value: unknown,
): string | null {
  const object = spanOf(text, path);
  if (object === null || text[object.start] !== '{') return null;
  const members = membersAt(text, object.start);
  const json = JSON.stringify(value);
  const there = members.findLast((member) => member.key === key);
  if (there !== undefined) return replaceSpan(text, there.value, json);
  const at = object.start + 1;
  const comma = members.length === 0 ? '' : ',';
  return `${text.slice(0, at)}${JSON.stringify(key)}:${json}${comma}${text.slice(at)}`;
}

/** The text without those members of the object at a path that `isUnwanted` names. */
export function withoutMembers(
  text: string,
  path: readonly string[],
  isUnwanted: (key: string) => boolean,
): string {
  const object = spanOf(text, path);
  if (object === null || text[object.start] !== '{') return text;
  const members = membersAt(text, object.start);
  if (!members.some(({ key }) => isUnwanted(key))) return text;
  const kept = members.filter(({ key }) => !isUnwanted(key));
  const inside = kept.map(({ whole }) => text.slice(whole.start, whole.end)).join(', ');
  return replaceSpan(text, object, `{${inside}}`);
}

/**
 * The text with the value at a span made into `wanted`, changing only the texts and numbers that differ. Of equal keys
 * only the last is what parsers read; the others get its value.
 */
export function withChanges(text: string, span: JsonSpan, wanted: unknown): string {
  let changed = text;
  for (const { at, by } of changesAt(text, span, wanted).toReversed()) changed = replaceSpan(changed, at, by);
  return changed;
}

function changesAt(text: string, span: JsonSpan, wanted: unknown): { at: JsonSpan; by: string }[] {
  if (text[span.start] === '{' && typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted)) {
    const members = wanted as Record<string, unknown>;
    return membersAt(text, span.start).flatMap(({ key, value }) => changesAt(text, value, members[key]));
  }
  if (text[span.start] === '[' && Array.isArray(wanted)) {
    return elementsAt(text, span.start).flatMap((element, at) => changesAt(text, element, wanted[at]));
  }
  const isSame = typeof wanted === 'number' || isEqual(text.slice(span.start, span.end), wanted);
  return isSame ? [] : [{ at: span, by: JSON.stringify(wanted) ?? 'null' }];
}

const isEqual = (text: string, wanted: unknown): boolean => {
  const value: unknown = JSON.parse(text);
  return value === wanted || JSON.stringify(value) === JSON.stringify(wanted);
};
