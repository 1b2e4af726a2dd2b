// Reads the documents of a file that holds one, one per line, or a list of them. Only the wanted parts are put
// together, so a document of any size is never held whole.
import { LIMITS, sizeWords } from './limits.ts';
import type { ImportNotes } from './importNotes.ts';
import { pointerOf, type Path } from './paths.ts';
import type { ImportInput } from './formatReader.ts';
import { fileRecords, shapeOf } from './records.ts';
import { place, readDocumentTree } from './documentTree.ts';
import { isJsonRecord, parseValue, type JsonRecord } from './values.ts';
import { createWalk, type JsonProblem, type Walk, type Wish } from './walk.ts';

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

/** Whether anything but space follows on the first line that holds something. */
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
      if (size > LIMITS.episodeBytes) {
        const limit = sizeWords(LIMITS.episodeBytes);
        notes.skip('limit_exceeded', `one document holds more than ${limit}`, pointer.trim());
      } else if (problem !== null) {
        notes.skip(problem.code, `the document is cut off or broken: ${problem.message}`, pointer.trim());
      } else return tree;
      return null;
    },
  };
}
