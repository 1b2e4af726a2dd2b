// The YAML that manifests are written in: nested mappings and lists, flow lists and mappings, quoted and plain values,
// comments and blocks of text. Anchors, tags and several documents in one file are refused by their line.

type Line = { number: number; indent: number; text: string };

/** Throws an `Error` that names the line. */
export function readPlainYaml(text: string): unknown {
  const lines = text.split(/\r?\n/).flatMap((raw, at): Line[] => {
    const stripped = withoutComment(raw);
    if (/^\s*\t/.test(raw)) throw unreadable(at + 1, 'it is indented by a tab');
    return [{ number: at + 1, indent: stripped.search(/\S/), text: stripped.trim() }];
  });
  const reader: Reader = { lines, at: 0, raw: text.split(/\r?\n/) };
  skipEmpty(reader);
  if (peek(reader)?.text === '---') reader.at += 1;
  const value = readBlock(reader, 0);
  skipEmpty(reader);
  const left = peek(reader);
  if (left !== undefined && left.text !== '...') throw unreadable(left.number, 'nothing belongs there');
  return value;
}

type Reader = { lines: readonly Line[]; at: number; raw: readonly string[] };

const unreadable = (line: number, why: string): Error => new Error(`line ${String(line)}: ${why}`);
const peek = ({ lines, at }: Reader): Line | undefined => lines[at];

function skipEmpty(reader: Reader): void {
  while (peek(reader)?.text === '') reader.at += 1;
}

/** A `#` begins a comment at the start of a line or after a space, outside quotes. */
function withoutComment(raw: string): string {
  let quote = '';
  for (let at = 0; at < raw.length; at += 1) {
    const sign = raw[at] ?? '';
    if (quote !== '') {
      if (sign === '\\' && quote === '"') at += 1;
      else if (sign === quote) quote = '';
    } else if ((sign === '"' || sign === "'") && /[\s:[{,-]/.test(raw[at - 1] ?? ' ')) quote = sign;
    else if (sign === '#' && (at === 0 || /\s/.test(raw[at - 1] ?? ''))) return raw.slice(0, at);
  }
  return raw;
}

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[{&*!|>%@`#,][^#]*?(?<!\s))\s*:(?:\s+([^]*))?$/;

function readBlock(reader: Reader, indent: number): unknown {
  skipEmpty(reader);
  const first = peek(reader);
  if (first === undefined || first.indent < indent) return null;
  if (/^-(\s|$)/.test(first.text)) return readList(reader, first.indent);
  if (KEY.test(first.text)) return readMapping(reader, first.indent);
  reader.at += 1;
  return readValue(first.text, first.number);
}

function readMapping(reader: Reader, indent: number): Record<string, unknown> {
  const found = new Map<string, unknown>();
  for (;;) {
    skipEmpty(reader);
    const line = peek(reader);
    if (line === undefined || line.indent < indent || line.text === '...') break;
    const match = KEY.exec(line.text);
    if (line.indent > indent || match === null)
      throw unreadable(line.number, `“${line.text}” is no “key: value”`);
    const [, key = '', rest = ''] = match;
    reader.at += 1;
    // The last of two that are the same holds, as in Python.
    found.set(String(readValue(key, line.number)), readRest(reader, rest, line));
  }
  return Object.fromEntries(found);
}

function readList(reader: Reader, indent: number): unknown[] {
  const found: unknown[] = [];
  for (;;) {
    skipEmpty(reader);
    const line = peek(reader);
    if (line === undefined || line.indent < indent || !/^-(\s|$)/.test(line.text)) break;
    if (line.indent > indent) throw unreadable(line.number, 'it is indented further than its list');
    const rest = line.text.slice(1).trim();
    if (KEY.test(rest)) {
      // A mapping that begins behind the dash goes on below its first key.
      const inner = { ...line, indent: indent + line.text.indexOf(rest), text: rest };
      reader.lines = reader.lines.with(reader.at, inner);
      found.push(readMapping(reader, inner.indent));
    } else {
      reader.at += 1;
      found.push(readRest(reader, rest, line));
    }
  }
  return found;
}

/** What stands behind a key or a dash, or below it. */
function readRest(reader: Reader, rest: string, line: Line): unknown {
  if (/^[|>][+-]?$/.test(rest)) return readText(reader, line.indent, rest);
  if (rest !== '') return readValue(rest, line.number);
  skipEmpty(reader);
  const next = peek(reader);
  const isList = next !== undefined && next.indent === line.indent && /^-(\s|$)/.test(next.text);
  const isBelow = next !== undefined && (next.indent > line.indent || (isList && !line.text.startsWith('-')));
  return isBelow ? readBlock(reader, next.indent) : null;
}

/** A block of text: `|` keeps its line breaks, `>` makes them spaces. */
function readText(reader: Reader, indent: number, mark: string): string {
  const taken: string[] = [];
  while (reader.at < reader.lines.length) {
    const raw = reader.raw[reader.at] ?? '';
    if (raw.trim() !== '' && raw.search(/\S/) <= indent) break;
    taken.push(raw);
    reader.at += 1;
  }
  const depth = Math.min(...taken.filter((one) => one.trim() !== '').map((one) => one.search(/\S/)));
  const text = taken.map((one) => one.slice(depth)).join(mark.startsWith('|') ? '\n' : ' ');
  return mark.endsWith('-') ? text.trimEnd() : `${text.trimEnd()}\n`;
}

function readValue(text: string, line: number): unknown {
  const [value, rest] = takeValue(text, line, '');
  if (rest.trim() !== '') throw unreadable(line, `“${rest.trim()}” stands behind the value`);
  return value;
}

/** Takes one value off the front of a text; `ends` holds the signs that end a plain one. */
function takeValue(text: string, line: number, ends: string): [unknown, string] {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('[')) return takeFlow(trimmed, line, ']');
  if (trimmed.startsWith('{')) return takeFlow(trimmed, line, '}');
  if (/^[&*!|>%@`]/.test(trimmed)) throw unreadable(line, `“${trimmed}” is more YAML than a manifest needs`);
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(trimmed);
  if (quoted !== null) {
    const [all, double, single] = quoted;
    const value = double === undefined ? (single ?? '').replaceAll("''", "'") : unescaped(double, line);
    return [value, trimmed.slice(all.length)];
  }
  const length = ends === '' ? trimmed.length : trimmed.search(new RegExp(`[${ends}]|$`));
  return [plainValue(trimmed.slice(0, length).trim()), trimmed.slice(length)];
}

function unescaped(text: string, line: number): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    throw unreadable(line, `“${text}” holds an escape that is not known`);
  }
}

function takeFlow(text: string, line: number, end: ']' | '}'): [unknown, string] {
  const found: unknown[] = [];
  let rest = text.slice(1).trimStart();
  while (!rest.startsWith(end)) {
    if (rest === '') throw unreadable(line, `a ${end} is missing`);
    let entry: unknown;
    [entry, rest] = takeValue(rest, line, end === ']' ? ',\\]' : ':');
    rest = rest.trimStart();
    if (end === '}') {
      if (!rest.startsWith(':')) throw unreadable(line, 'a key without a value');
      let value: unknown;
      [value, rest] = takeValue(rest.slice(1), line, ',}');
      entry = [String(entry), value];
    }
    found.push(entry);
    rest = rest.trimStart();
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith(end)) throw unreadable(line, `a ${end} is missing`);
  }
  const value = end === ']' ? found : Object.fromEntries(found as [string, unknown][]);
  return [value, rest.slice(1)];
}

/** Python’s YAML takes yes, no, on and off for booleans, and a number with an exponent only with its point and sign. */
function plainValue(text: string): unknown {
  if (text === '' || /^(~|null|Null|NULL)$/.test(text)) return null;
  if (/^(true|yes|on)$/i.test(text)) return true;
  if (/^(false|no|off)$/i.test(text)) return false;
  if (/^[-+]?(0|[1-9][\d_]*)$/.test(text)) return Number(text.replaceAll('_', ''));
  if (/^[-+]?(\d[\d_]*)?\.\d*([eE][-+]\d+)?$/.test(text) && /\d/.test(text))
    return Number(text.replaceAll('_', ''));
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(nan|NaN|NAN)$/.test(text) ? NaN : text;
}
