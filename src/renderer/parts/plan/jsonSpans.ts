// Where the members and items of a JSON value stand in its text, so that one can be changed and the rest stay as written.
// The text must be valid JSON from `from` on; whoever calls has parsed it.

export type Span = { from: number; to: number };
export type MemberSpan = Span & { key: string; keyFrom: number };

const skipSpace = (text: string, at: number): number => {
  let next = at;
  while (/\s/.test(text.charAt(next)) && next < text.length) next += 1;
  return next;
};

function endOfString(text: string, at: number): number {
  let next = at + 1;
  while (next < text.length && text[next] !== '"') next += text[next] === '\\' ? 2 : 1;
  return next + 1;
}

/** The index after the value that begins at `at`. */
export function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return endOfString(text, at);
  if (first !== '{' && first !== '[') {
    let next = at;
    while (next < text.length && !/[\s,\]}]/.test(text.charAt(next))) next += 1;
    return next;
  }
  let depth = 0;
  for (let next = at; next < text.length;) {
    const char = text[next];
    if (char === '"') {
      next = endOfString(text, next);
      continue;
    }
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    next += 1;
    if (depth === 0) return next;
  }
  return text.length;
}

export function itemSpans(text: string, from: number): Span[] {
  const spans: Span[] = [];
  for (let at = skipSpace(text, from + 1); at < text.length && text[at] !== ']';) {
    const to = endOfValue(text, at);
    spans.push({ from: at, to });
    const next = skipSpace(text, to);
    at = text[next] === ',' ? skipSpace(text, next + 1) : next;
  }
  return spans;
}

export function memberSpans(text: string, from: number): MemberSpan[] {
  const spans: MemberSpan[] = [];
  for (let at = skipSpace(text, from + 1); at < text.length && text[at] !== '}';) {
    const keyEnd = endOfString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = endOfValue(text, value);
    spans.push({ key, keyFrom: at, from: value, to });
    const next = skipSpace(text, to);
    at = text[next] === ',' ? skipSpace(text, next + 1) : next;
  }
  return spans;
}

/** The member that counts: of two with one key, JSON takes the last. */
export const memberSpan = (text: string, from: number, key: string): MemberSpan | undefined =>
  memberSpans(text, from).findLast((member) => member.key === key);

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

/** The white space that a line begins with. */
export const indentAt = (text: string, at: number): string => {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
};

/** A value as JSON that fits in a line with this indent; on several lines where its surroundings are. */
export const jsonAt = (value: unknown, indent: string, isMultiline: boolean): string =>
  isMultiline
    ? (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`)
    : (JSON.stringify(value) ?? 'null');

/** One more item or member after the others, laid out as they are. */
export function withInserted(text: string, container: Span, spans: readonly Span[], written: string): string {
  const last = spans.at(-1);
  const isMultiline = text.slice(container.from, container.to).includes('\n');
  if (last === undefined) {
    const indent = indentAt(text, container.from);
    const inner = lines(written, `${indent}  `);
    const whole = written.includes('\n') || isMultiline ? `\n${indent}  ${inner}\n${indent}` : written;
    return text.slice(0, container.from + 1) + whole + text.slice(container.to - 1);
  }
  const starts = text.slice(0, keyStart(last)).match(/\n([^\S\n]*)$/)?.[1];
  const joined = starts === undefined ? `, ${written}` : `,\n${starts}${lines(written, starts)}`;
  return text.slice(0, last.to) + joined + text.slice(last.to);
}

const keyStart = (span: Span): number => ('keyFrom' in span ? (span as MemberSpan).keyFrom : span.from);
const lines = (written: string, indent: string): string => written.replaceAll('\n', `\n${indent}`);
