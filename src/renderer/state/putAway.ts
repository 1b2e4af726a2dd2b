// Texts of a long episode that do not stay in the page. Beyond so many characters a heavy text leaves its place, its
// size and its beginning, and is read again from its event when wanted; the fold needs no more of it. Pure.
import { normalized } from '../../shared/drift.ts';
import type { BlobRef, Text } from '../../shared/events/text.ts';
import { isBlobRef } from '../../shared/events/text.ts';
import type { Kind, LogEvent, Recorded } from '../../shared/events/vocabulary.ts';

/** Characters of heavy texts that an episode may hold in place: most episodes never come near. */
export const IN_PLACE_MAX = 8_000_000;

/** From which length a text goes, and how much of it stays: more than any line of the timeline is made from. */
type AwayMeasure = { min: number; head: number; digest: (text: string) => string };
const DATA: AwayMeasure = { min: 2_048, head: 256, digest: resultDigest };
/** Errors, and frames that stand alone, are read for a line. */
const LINE: AwayMeasure = { min: 2_048, head: 1_024, digest: resultDigest };
/** An agent's text is read for its sentences around calls and thoughts, so more of it stays. */
const PROSE: AwayMeasure = { min: 8_192, head: 4_096, digest: digestOf };

const HEAVY: Partial<Record<Kind, Readonly<Record<string, AwayMeasure>>>> = {
  'message.added': { content: DATA },
  'turn.generated': { content: PROSE, reasoning: PROSE },
  'turn.transcribed': { content: PROSE, reasoning: PROSE },
  'call.returned': { frame: DATA, text: DATA, error: LINE },
  'frame.passed': { frame: LINE },
};

/** The place in the log of a text that was put away. */
export type TextAddress = { episode: string; n: number; field: string; digest: string };

const PLACE = /^event:(\d+):(\w+):([0-9a-f]+):(.*)$/s;

/** The place a reference names; null for a text that is stored beside the log. */
export function parseTextAddress(address: string): TextAddress | null {
  const [, n, field, digest, episode] = PLACE.exec(address) ?? [];
  if (n === undefined || field === undefined || digest === undefined || episode === undefined) return null;
  return { episode, n: Number(n), field, digest };
}

/** A place inside its episode; of a text that was not put away, its address. */
export function textAddressKey(address: string): string {
  const place = parseTextAddress(address);
  return place === null ? address : `${String(place.n)} ${place.field}`;
}

/** True if the agent's text may have been put away where it stands in another episode. */
export const isHeavyProse = (text: Text): boolean => text.length > PROSE.min;

export const isPutAway = (text: Text): text is BlobRef => isBlobRef(text) && text.$blob.startsWith('event:');

/** Characters of an event that could be put away. */
export function heavyLength({ event }: Recorded): number {
  const fields = HEAVY[event.kind];
  if (fields === undefined) return 0;
  let sum = 0;
  for (const field of Object.keys(fields)) sum += fieldOf(event, field)?.length ?? 0;
  return sum;
}

/** The event with a stand-in for each of its heavy texts; the same event when it has none. */
export function putAway(recorded: Recorded): Recorded {
  const { event, stream, n } = recorded;
  const away: Record<string, BlobRef> = {};
  for (const [field, { min, head, digest }] of Object.entries(HEAVY[event.kind] ?? {})) {
    const text = fieldOf(event, field);
    if (text === null || text.length <= min) continue;
    away[field] = {
      $blob: `event:${String(n)}:${field}:${digest(text)}:${stream}`,
      length: text.length,
      lines: linesIn(text),
      head: apart(text, head),
    };
  }
  if (Object.keys(away).length === 0) return recorded;
  return { ...recorded, event: { ...event, ...away } as LogEvent };
}

/** A text of an event, where it stands in place. */
export function fieldOf(event: LogEvent, field: string): string | null {
  const value: unknown = Object.hasOwn(event, field) ? event[field as keyof LogEvent] : null;
  return typeof value === 'string' ? value : null;
}

/** The digest shared by results that count as the same, where the texts themselves are not at hand. */
export function resultDigest(text: string): string {
  return digestOf(normalized(text));
}

/** Tells texts apart that are not at hand; nothing is protected by it. */
export function digestOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A beginning that does not keep the whole in memory, as a slice of a string does. */
const apart = (text: string, length: number): string => {
  const code = text.charCodeAt(length - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
  return JSON.parse(JSON.stringify(text.slice(0, end))) as string;
};

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
