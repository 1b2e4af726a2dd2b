// Removes one text from the bodies of events and from the long texts beside them, however JSON spells it.
import { createHash } from 'node:crypto';
import { ERASED_TEXT_MIN } from '../../shared/contract/library.ts';
import { tombstone } from '../../shared/events/library.ts';
import { isBlobRef } from '../../shared/events/text.ts';
import type { LongTexts } from './longTexts.ts';
import { isNumber, isRecord } from '../../shared/json.ts';

type JsonNode = unknown;
type EventBody = Record<string, JsonNode>;

export type Without = {
  /** The text taken out of every string of a body, and of its keys. */
  body(body: EventBody): EventBody;
  /** Whether it stands in a body as that is stored, or in a long text it refers to. */
  standsIn(stored: string): boolean;
  /** Places it was taken out of so far. */
  places(): number;
};

/** Values of a client's own: a number there may be what is to go. */
const FREE: ReadonlySet<string> = new Set(['arguments', 'request', 'extra']);

export function createWithout(text: string, texts: Pick<LongTexts, 'loadText'>): Without {
  const mark = tombstone(createHash('sha256').update(text).digest('hex'));
  const spellings = createSpellings(text);
  let places = 0;
  const clean = (value: string): string => {
    const cleaned = spellings.replacedIn(value, mark);
    places += cleaned.places;
    return cleaned.value;
  };
  const walk = (value: JsonNode, isFree: boolean): JsonNode => {
    if (typeof value === 'string') return clean(value);
    if (isNumber(value) && isFree && String(value) === text) return clean(text);
    if (Array.isArray(value)) return value.map((one) => walk(one, isFree));
    if (isBlobRef(value)) {
      const whole = texts.loadText(value);
      const cleaned = clean(whole);
      return cleaned === whole ? value : cleaned;
    }
    return isRecord(value) ? body(value as EventBody, isFree) : value;
  };
  const body = (given: EventBody, isFree: boolean): EventBody =>
    Object.fromEntries(
      Object.entries(given).map(([key, inner]) => [clean(key), walk(inner, isFree || FREE.has(key))]),
    );
  return {
    body: (given) => body(given, false),
    standsIn: (stored) =>
      spellings.standsIn(stored) ||
      [...stored.matchAll(/"\$blob":"([0-9a-f]{64})","length":(\d+),"lines":(\d+)/g)].some(
        ([, $blob = '', length, lines]) =>
          spellings.standsIn(
            texts.loadText({ $blob, length: Number(length), lines: Number(lines), head: '' }),
          ),
      ),
    places: () => places,
  };
}

// Finding a text however JSON writes it: with escapes of any kind, and inside JSON that stands as a string in JSON.
// Layers of escapes are taken off until none is left, so no list of spellings has to be complete.
type Spellings = {
  standsIn(value: string): boolean;
  /** The value with every spelling of the text replaced, and how many places that were. */
  replacedIn(value: string, mark: string): { value: string; places: number };
};

type TextSpan = { start: number; end: number };
/** A value without its outer layer of escapes; `at` says where each unit of it stood, and where the value ended. */
type UnescapedText = { value: string; at: Uint32Array };

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** More than any tool nests; each layer is shorter than the one around it. */
const LAYERS_MAX = 12;

export function createSpellings(text: string): Spellings {
  const texts = ownSpellings(text);
  const standsIn = (value: string): boolean => {
    for (const layer of layersOf(value)) if (texts.some((one) => layer.includes(one))) return true;
    return false;
  };
  return {
    standsIn,
    replacedIn: (value, mark) => {
      if (!standsIn(value)) return { value, places: 0 };
      const spans = mergeSpans(spansIn(value, texts));
      let replaced = '';
      let from = 0;
      for (const { start, end } of spans) {
        replaced += value.slice(from, start) + mark;
        from = end;
      }
      return { value: replaced + value.slice(from), places: spans.length };
    },
  };
}

/** A text copied out of a raw frame has its escapes: the text that is meant is looked for as well. */
function ownSpellings(text: string): string[] {
  if (!/\\u[0-9a-f]{4}/i.test(text)) return [text];
  return [...new Set(layersOf(text))].filter((one) => one.length >= ERASED_TEXT_MIN);
}

const unitOf = (hex: string | undefined, short: string): string => {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  return SHORT[short] ?? short;
};

/** The value, then the same with one layer of escapes less, until there is none. */
function* layersOf(value: string): Generator<string> {
  let layer = value;
  for (let depth = 0; depth <= LAYERS_MAX; depth += 1) {
    yield layer;
    if (!layer.includes('\\')) return;
    const peeled = layer.replace(ESCAPE, (_, hex: string | undefined, short: string) => unitOf(hex, short));
    if (peeled === layer) return;
    layer = peeled;
  }
}

function spansIn(value: string, texts: readonly string[]): TextSpan[] {
  const spans: TextSpan[] = [];
  let layer: UnescapedText = {
    value,
    at: Uint32Array.from({ length: value.length + 1 }, (_, index) => index),
  };
  for (let depth = 0; depth <= LAYERS_MAX; depth += 1) {
    const { value: words, at } = layer;
    for (const text of texts)
      for (let found = words.indexOf(text); found !== -1; found = words.indexOf(text, found + text.length))
        spans.push({ start: at[found] ?? 0, end: at[found + text.length] ?? value.length });
    const peeled = peel(layer);
    if (peeled === null) break;
    layer = peeled;
  }
  return spans;
}

/** Null when there is no escape in it. */
function peel({ value, at }: UnescapedText): UnescapedText | null {
  const parts: string[] = [];
  const places = new Uint32Array(value.length + 1);
  let length = 0;
  let from = 0;
  const copy = (to: number): void => {
    parts.push(value.slice(from, to));
    places.set(at.subarray(from, to), length);
    length += to - from;
  };
  for (const match of value.matchAll(ESCAPE)) {
    copy(match.index);
    parts.push(unitOf(match[1], match[2] ?? ''));
    places[length] = at[match.index] ?? 0;
    length += 1;
    from = match.index + match[0].length;
  }
  if (from === 0) return null;
  copy(value.length);
  places[length] = at[value.length] ?? 0;
  return { value: parts.join(''), at: places.subarray(0, length + 1) };
}

function mergeSpans(spans: readonly TextSpan[]): TextSpan[] {
  const inOrder = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const all: TextSpan[] = [];
  for (const span of inOrder) {
    const last = all.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else all.push({ ...span });
  }
  return all;
}
