// Reading files of JSON lines by place: where each line lies, and one line at a time.
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';

type LinePlace = { offset: number; length: number; number: number; head: string };

/** A longer line is not read. */
export const JSON_LINE_MAX = 16 * 1024 * 1024;
/** How much of each line's beginning is given along. */
const LINE_HEAD_BYTES = 512;

/** Where each line of a file lies; nothing but its beginning is kept. */
export async function* jsonLinePlaces(file: string): AsyncGenerator<LinePlace> {
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

/** One line of a file, by its place. */
export function readLine(file: string, offset: number, length: number): string {
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
