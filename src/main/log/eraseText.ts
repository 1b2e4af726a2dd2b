// Removes one text from the bodies of events and from the long texts beside them, however JSON spells it.
import { createHash } from 'node:crypto';
import { tombstone } from '../../shared/events/erase.ts';
import { isBlobRef } from '../../shared/events/text.ts';
import type { LongTexts } from './longTexts.ts';
import { createSpellings } from './spellings.ts';

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
    if (typeof value === 'number' && isFree && String(value) === text) return clean(text);
    if (Array.isArray(value)) return value.map((one) => walk(one, isFree));
    if (isBlobRef(value)) {
      const whole = texts.loadText(value);
      const cleaned = clean(whole);
      return cleaned === whole ? value : cleaned;
    }
    return typeof value === 'object' && value !== null ? body(value as EventBody, isFree) : value;
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
