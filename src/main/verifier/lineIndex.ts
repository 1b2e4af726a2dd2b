// Finds lines of a large JSON-lines file by a key. The file is read once as a stream; only places are kept. A file that
// changed on disk is read again.
import { statSync } from 'node:fs';
import { JSON_LINE_MAX, jsonLinePlaces, readLine } from './jsonLines.ts';

type Place = { offset: number; length: number };
/** What a line is found by, and the name it gives itself. */
export type LineKey = { key: string; name: string };
type LineMap = {
  places: Map<string, { name: string; at: Place[] }>;
  unread: { line: number; isTooLong: boolean }[];
};
/** Gets the beginning of a line, and the whole of it where that does not say; null for a line without a key. */
type KeyOf = (head: string, wholeLine: () => string) => LineKey | null;

export type LineIndex = {
  file: string;
  /** Every line under a key, in file order. */
  lines(key: string): Promise<string[]>;
  /** Every key, in the order they were found, with the name of its first line. */
  keys(): Promise<LineKey[]>;
  /** Lines without a key, and lines that are too long to be read. */
  unread(): Promise<LineMap['unread']>;
};

export function createLineIndex(file: string, keyOf: KeyOf): LineIndex {
  let known: { stamp: string; map: Promise<LineMap> } | null = null;
  const read = (): Promise<LineMap> => {
    const { size, mtimeMs } = statSync(file);
    const stamp = `${String(size)} ${String(mtimeMs)}`;
    if (known?.stamp === stamp) return known.map;
    const map = readPlaces(file, keyOf);
    const mine = { stamp, map };
    known = mine;
    // A file that could not be read is tried again at the next question.
    map.catch(() => (known === mine ? (known = null) : null));
    return map;
  };
  return {
    file,
    lines: async (key) =>
      ((await read()).places.get(key)?.at ?? []).map(({ offset, length }) => readLine(file, offset, length)),
    keys: async () => [...(await read()).places].map(([key, { name }]) => ({ key, name })),
    unread: async () => (await read()).unread,
  };
}

async function readPlaces(file: string, keyOf: KeyOf): Promise<LineMap> {
  const map: LineMap = { places: new Map(), unread: [] };
  for await (const { offset, length, number, head } of jsonLinePlaces(file)) {
    if (length === 0) continue;
    const isTooLong = length > JSON_LINE_MAX;
    const found = isTooLong ? null : keyOf(head, () => readLine(file, offset, length));
    const same = found === null ? undefined : map.places.get(found.key);
    if (found === null) map.unread.push({ line: number, isTooLong });
    else if (same === undefined) map.places.set(found.key, { name: found.name, at: [{ offset, length }] });
    else same.at.push({ offset, length });
  }
  return map;
}
