// A file's bytes as UTF-8 chunks whatever its byte order mark, split into lines or into the values of a document.
import { createReadStream } from 'node:fs';
import { LIMITS, sizeWords } from './limits.ts';
import { type ImportNotes, pointerOf, type Path } from './importNotes.ts';
import { createWalk, type JsonProblem, type Walk, type Wish } from './walk.ts';
import { parseValue } from './values.ts';

export type Chunks = AsyncIterable<Buffer>;

const READ_CHUNK_BYTES = 512 * 1024;

/** A stored file from its beginning; an abort ends it. Of a small file no more room is taken than it needs. */
export const fileChunks = (path: string, bytes: number, signal: AbortSignal): Chunks =>
  createReadStream(path, { highWaterMark: roomFor(bytes), signal }) as Chunks;

const roomFor = (bytes: number): number => Math.max(4096, Math.min(READ_CHUNK_BYTES, bytes + 1));

/** The same text in UTF-8 without a mark. */
export async function* utf8Chunks(chunks: Chunks, notes: ImportNotes): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null = null;
  let isFirst = true;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (isFirst) {
      isFirst = false;
      const encoding = encodingOf(chunk);
      if (encoding === 'utf-8-mark') bytes = chunk.subarray(3);
      else if (encoding !== 'utf-8') {
        decoder = new TextDecoder(encoding);
        notes.once('encoding', `the text is ${encoding.toUpperCase()}; read as such`);
      }
    }
    yield decoder === null ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }), 'utf8');
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield Buffer.from(rest, 'utf8');
}

function encodingOf(head: Buffer): 'utf-8' | 'utf-8-mark' | 'utf-16le' | 'utf-16be' {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8-mark';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  // JSON begins with two characters below 128: where the zeros stand tells the order.
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return 'utf-8';
}

type ByteLine = { line: number; bytes: Buffer };

/** Lines that are not empty, several at a time; one that is too long is noted and passed over unread. */
export async function* byteLines(chunks: Chunks, notes: ImportNotes): AsyncGenerator<ByteLine[]> {
  let parts: Buffer[] = [];
  let held = 0;
  let line = 1;
  const hold = (bytes: Buffer): void => {
    held += bytes.length;
    if (held > LIMITS.valueBytes) parts = [];
    else parts.push(bytes);
  };
  const take = (): ByteLine | null => {
    const [only] = parts;
    // A line that lies in one chunk is not copied.
    const [size, bytes] = [held, parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)];
    const number = line;
    parts = [];
    held = 0;
    line += 1;
    if (size > LIMITS.valueBytes) {
      const limit = sizeWords(LIMITS.valueBytes);
      const left = { kind: 'lines too long to read', characters: size };
      notes.skip(
        'too_long',
        `a line of ${sizeWords(size)}; the limit is ${limit}`,
        `line ${String(number)}`,
        left,
      );
      return null;
    }
    return isBlank(bytes) ? null : { line: number, bytes };
  };
  for await (const chunk of chunks) {
    const lines: ByteLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      hold(chunk.subarray(start, end));
      const taken = take();
      if (taken !== null) lines.push(taken);
      start = end + 1;
    }
    hold(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  const last = take();
  if (last !== null) yield [last];
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}

type FoundValue = { path: Path; pointer: string; value: unknown; size: number };

/**
 * The wished values of a document, parsed, in order. What cannot be read is noted and left out; returns what was
 * wrong with the document as a whole, or null. `areRecords`: what is cut off at its end counts as one left out.
 */
export async function* documentValues(
  chunks: Chunks,
  {
    wish,
    notes,
    isSequence = false,
    areRecords = false,
    prefix = '',
  }: {
    wish: (path: Path) => Wish;
    notes: ImportNotes;
    isSequence?: boolean;
    areRecords?: boolean;
    prefix?: string;
  },
): AsyncGenerator<FoundValue, ReturnType<Walk['end']>> {
  const onDropped = ({ code, message, path }: JsonProblem): void =>
    notes.skip(code, message, prefix + pointerOf(path));
  const onSkipped = (path: Path, size: number): void => notes.passOver(path, size);
  const walk = createWalk({ wish, onDropped, onSkipped, isSequence });
  for await (const chunk of chunks) {
    for (const { path, bytes } of walk.push(chunk)) {
      const pointer = prefix + pointerOf(path);
      const value = parseValue(bytes, pointer, notes);
      if (value !== undefined) yield { path, pointer, value, size: bytes.length };
    }
  }
  const problem = walk.end();
  if (problem !== null) {
    const pointer = prefix + pointerOf(problem.path);
    const left = { kind: 'the end of a file that is cut off', characters: problem.left };
    if (areRecords) notes.skip(problem.code, problem.message, pointer, left);
    else notes.note(problem.code, problem.message, pointer);
  }
  return problem;
}
