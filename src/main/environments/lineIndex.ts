// Finds lines of a large JSON-lines file by a key. The file is read once as a stream; only places are kept. A file that
// changed on disk is read again.
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';

/** A longer line is not read. */
const JSON_LINE_MAX = 16 * 1024 * 1024;
/** How much of each line's beginning is given along. */
const LINE_HEAD_BYTES = 512;

type Place = { offset: number; length: number };
export type LineKey = { key: string; name: string };
type LineMap = {
  places: Map<string, { name: string; at: Place[] }>;
  unread: { line: number; isTooLong: boolean }[];
};
/** Gets the beginning of a line, and the whole of it where that does not say; null for a line without a key. */
type KeyOf = (head: string, wholeLine: () => string) => LineKey | null;

export type LineIndex = {
  file: string;
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

type LinePlace = { offset: number; length: number; number: number; head: string };

/** Where each line of a file lies; nothing but its beginning is kept. */
async function* jsonLinePlaces(file: string): AsyncGenerator<LinePlace> {
  let [start, at, number] = [0, 0, 0];
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const begun = head.length < LINE_HEAD_BYTES ? Buffer.concat([head, chunk.subarray(from, end)]) : head;
      number += 1;
      yield {
        offset: start,
        length: at + end - start,
        number,
        head: begun.subarray(0, LINE_HEAD_BYTES).toString('utf8'),
      };
      from = end + 1;
      start = at + from;
      head = Buffer.alloc(0);
    }
    if (head.length < LINE_HEAD_BYTES)
      head = Buffer.concat([head, chunk.subarray(from, from + LINE_HEAD_BYTES)]);
    at += chunk.length;
  }
  if (at > start)
    yield { offset: start, length: at - start, number: number + 1, head: head.toString('utf8') };
}

function readLine(file: string, offset: number, length: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) {
      const got = readSync(descriptor, bytes, at, length - at, offset + at);
      if (got === 0) break;
      at += got;
    }
    return bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
