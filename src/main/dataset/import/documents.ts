// Reads the documents of a file that holds one, one per line, or a list of them. Only the wanted parts are put
// together, so a document of any size is never held whole.
import { LIMITS, sizeWords, ImportStop } from './limits.ts';
import { type ImportNotes, pointerOf, type Path } from './importNotes.ts';
import type { ImportInput } from './formatReader.ts';
import { isJsonRecord, parseValue, type JsonRecord } from './values.ts';
import { createWalk, type JsonProblem, type Walk, type Wish, isDeeperThan } from './walk.ts';
import { type Chunks, documentValues, byteLines } from './bytes.ts';

/** `pointer` stands before every place in it; '' for the only one of its file. */
export type Document = { tree: JsonRecord; pointer: string; isAlone: boolean };

/** In order. Throws `ImportStop` where there is one and it is broken; a broken line among others is noted and passed over. */
export async function* documentsOf(input: ImportInput, wish: (path: Path) => Wish): AsyncGenerator<Document> {
  const shape = await shapeOf(input);
  if (shape === 'list') {
    for await (const { value, pointer } of fileRecords(input))
      if (isJsonRecord(value)) yield { tree: value, pointer, isAlone: false };
  } else if (shape === 'lines' && (await hasSeveral(input))) {
    yield* ofLines(input, wish);
  } else {
    const tree = await readDocumentTree(input.chunks(), { wish, notes: input.notes });
    yield { tree, pointer: '', isAlone: true };
  }
}

/** True if anything but space follows on the first line that holds something. */
async function hasSeveral({ chunks }: ImportInput): Promise<boolean> {
  let stage: 'before' | 'in' | 'after' = 'before';
  for await (const chunk of chunks()) {
    for (let at = 0; at < chunk.length; at += 1) {
      if (stage === 'in') {
        const end = chunk.indexOf(NEWLINE, at);
        if (end === -1) break;
        at = end;
        stage = 'after';
      } else if (!SPACE_BYTES.has(chunk[at] ?? 0)) {
        if (stage === 'after') return true;
        stage = 'in';
      }
    }
  }
  return false;
}

const NEWLINE = 0x0a;
const SPACE_BYTES: ReadonlySet<number> = new Set([NEWLINE, 0x0d, 0x09, 0x20]);

async function* ofLines(input: ImportInput, wish: (path: Path) => Wish): AsyncGenerator<Document> {
  let number = 1;
  let line = createLine(input.notes, wish, number);
  const finish = (): Document | null => {
    const tree = line.end();
    const pointer = pointerTo(number);
    number += 1;
    line = createLine(input.notes, wish, number);
    return tree === null ? null : { tree, pointer, isAlone: false };
  };
  for await (const chunk of input.chunks()) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      line.push(chunk.subarray(start, end));
      const found = finish();
      if (found !== null) yield found;
      start = end + 1;
    }
    line.push(chunk.subarray(start));
  }
  const last = finish();
  if (last !== null) yield last;
}

const pointerTo = (number: number): string => `line ${String(number)} `;

/** One line on its way in. */
function createLine(notes: ImportNotes, wish: (path: Path) => Wish, number: number) {
  const pointer = pointerTo(number);
  const tree: JsonRecord = {};
  let size = 0;
  let walk: Walk | null = null;
  const onDropped = ({ code, message, path }: JsonProblem): void =>
    notes.skip(code, message, pointer + pointerOf(path));
  const take = (bytes: Buffer): void => {
    walk ??= createWalk({ wish, onDropped, onSkipped: (path, bytes) => notes.passOver(path, bytes) });
    for (const { path, bytes: value } of walk.push(bytes)) {
      size += value.length;
      if (size > LIMITS.episodeBytes) return;
      const read = parseValue(value, pointer + pointerOf(path), notes);
      if (read !== undefined) place(tree, path, read);
    }
  };
  return {
    push: (bytes: Buffer): void => {
      if (size > LIMITS.episodeBytes) return;
      if (walk !== null || bytes.some((byte) => !SPACE_BYTES.has(byte))) take(bytes);
    },
    /** Null for an empty line, and for one that is no document. */
    end: (): JsonRecord | null => {
      if (walk === null) return null;
      const problem = walk.end();
      const left = { kind: 'documents that are not whole', characters: size + (problem?.left ?? 0) };
      if (size > LIMITS.episodeBytes) {
        const limit = sizeWords(LIMITS.episodeBytes);
        notes.skip('limit_exceeded', `one document holds more than ${limit}`, pointer.trim(), left);
      } else if (problem !== null) {
        const words = `the document is cut off or broken: ${problem.message}`;
        notes.skip(problem.code, words, pointer.trim(), left);
      } else return tree;
      return null;
    },
  };
}

type TreeOptions = { wish: (path: Path) => Wish; notes: ImportNotes; prefix?: string };

/** Throws `ImportStop` for a document that is broken or cut off: half a document is no episode. */
export async function readDocumentTree(chunks: Chunks, options: TreeOptions): Promise<JsonRecord> {
  const { tree, problem } = await readParts(chunks, options);
  if (problem !== null)
    throw new ImportStop(problem.code, `the document is cut off or broken: ${problem.message}`);
  return tree;
}

/** The same, with what could be read of a broken document. */
export async function readParts(
  chunks: Chunks,
  options: TreeOptions,
): Promise<{ tree: JsonRecord; problem: JsonProblem | null }> {
  const tree: JsonRecord = {};
  let size = 0;
  const values = documentValues(chunks, options);
  for (;;) {
    const next = await values.next();
    if (next.done === true) return { tree, problem: next.value };
    const { path, value, size: bytes } = next.value;
    size += bytes;
    if (size > LIMITS.episodeBytes)
      throw new ImportStop(
        'limit_exceeded',
        `one document holds more than ${sizeWords(LIMITS.episodeBytes)}`,
      );
    place(tree, path, value);
  }
}

/** Puts a value at its path; lists and objects on the way are made as the path says. */
export function place(tree: JsonRecord, path: Path, value: unknown): void {
  if (path.length === 0) {
    if (isJsonRecord(value)) Object.assign(tree, value);
    return;
  }
  let at: JsonRecord | unknown[] = tree;
  path.forEach((step, index) => {
    if (index === path.length - 1) return setValue(at, step, value);
    const known = Object.hasOwn(at, step) ? (at as JsonRecord)[step] : undefined;
    if (typeof known === 'object' && known !== null) {
      at = known as JsonRecord | unknown[];
      return;
    }
    const made: JsonRecord | unknown[] = typeof path[index + 1] === 'number' ? [] : {};
    setValue(at, step, made);
    at = made;
  });
}

const setValue = (at: JsonRecord | unknown[], step: string | number, value: unknown): void => {
  // Assignment to this name would set the prototype instead.
  if (step === '__proto__') Object.defineProperty(at, step, { value, enumerable: true, writable: true });
  else (at as JsonRecord)[step] = value;
};

export type RecordFound = { value: unknown; pointer: string };

/** Records in order; a broken one is noted and passed over. */
export async function* fileRecords(input: ImportInput): AsyncGenerator<RecordFound> {
  const shape = await shapeOf(input);
  if (shape === 'lines') {
    for await (const lines of byteLines(input.chunks(), input.notes)) {
      for (const { line, bytes } of lines) {
        const pointer = `line ${String(line)}`;
        if (isDeeperThan(bytes, LIMITS.depth)) {
          const left = { kind: 'lines nested too deep', characters: bytes.toString('utf8').length };
          input.notes.skip('too_deep', `nested deeper than ${String(LIMITS.depth)} brackets`, pointer, left);
          continue;
        }
        const value = parseValue(bytes, pointer, input.notes);
        if (value !== undefined) yield { value, pointer: `${pointer} ` };
      }
    }
    return;
  }
  // A list of records, or documents one after the other.
  const isList = shape === 'list';
  const values = documentValues(input.chunks(), {
    wish: (path) => (isList && path.length === 0 ? 'into' : 'take'),
    notes: input.notes,
    isSequence: !isList,
    areRecords: true,
  });
  for await (const { value, pointer } of values) yield { value, pointer };
}

/** Lines when the first line that holds anything is a document by itself, or when a later one is. */
async function shapeOf({ chunks }: ImportInput): Promise<'lines' | 'list' | 'documents'> {
  let head = '';
  for await (const chunk of chunks()) {
    head += chunk.toString('latin1');
    if (head.trimStart() !== '' && (head.length > 1_000_000 || head.includes('\n'))) break;
  }
  const start = head.trimStart();
  if (start.startsWith('[')) return 'list';
  const [first = '', ...others] = start.split('\n');
  // The first line may be broken, or longer than the head; it begins and ends as a record does, or the next one does.
  const isWhole = (line: string): boolean => line.trim().startsWith('{') && line.trim().endsWith('}');
  const isPretty = first.trim() === '{' || (!isWhole(first) && others.some((line) => /^\s+"/.test(line)));
  return isPretty ? 'documents' : 'lines';
}
