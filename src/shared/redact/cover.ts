// Covers known secrets in what is recorded of one episode, and puts them back where the record is read to act on it:
// what the model reads and what the environment gets are what they would be without any redaction.
import { coverEchoes, echoesOf, redactedOf, redactText } from './redact.ts';

export type Cover = {
  /** A copy of a JSON value in which none of the secrets stands; the value itself where none does. */
  cover: <T>(value: T) => T;
  /** The same with the secrets back in their places. */
  reveal: <T>(value: T) => T;
};

export const NO_COVER: Cover = { cover: (value) => value, reveal: (value) => value };

/** Covers these secrets. Each has a mark of its own, so that it can be put back. */
export function createCover(secrets: readonly string[]): Cover {
  const echoes = echoesOf(secrets);
  if (echoes.length === 0) return NO_COVER;
  const marks = new Map<string, string>();
  const counts = new Map<number, number>();
  for (const secret of echoes) {
    const count = (counts.get(secret.length) ?? 0) + 1;
    counts.set(secret.length, count);
    marks.set(secret, markOfLength(secret.length, count));
  }
  const secretsByMark = new Map([...marks].map(([secret, mark]) => [mark, secret]));
  const markOf = (secret: string): string => marks.get(secret) ?? '';
  const uncovered = (text: string): string =>
    text.replaceAll(/\[redacted(?::\d+)+\]/g, (mark) => secretsByMark.get(mark) ?? mark);
  return {
    cover: (value) => mapTexts(value, (text) => coverEchoes(text, echoes, markOf)),
    reveal: (value) => mapTexts(value, (text) => (text.includes('[redacted:') ? uncovered(text) : text)),
  };
}

/** A copy of what a client tells, with what its shape gives away as a secret covered; its words stay its words. */
export const coverShapes = <T>(value: T): T => mapTexts(value, (text) => redactText(text, redactedOf));

/** `[redacted:24]`, or `[redacted:24:2]` for the second secret of that length. */
const markOfLength = (length: number, count: number): string =>
  count === 1 ? `[redacted:${String(length)}]` : `[redacted:${String(length)}:${String(count)}]`;

/** A copy with every text in it changed; what nothing changes in is the very value. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((one: unknown) => mapTexts(one, change));
    return list.some((one, at) => one !== value[at]) ? (list as T) : value;
  }
  const entries = Object.entries(value).map(([key, one]) => [key, mapTexts<unknown>(one, change)] as const);
  const isChanged = entries.some(([key, one]) => one !== (value as Record<string, unknown>)[key]);
  return isChanged ? (Object.fromEntries(entries) as T) : value;
}
