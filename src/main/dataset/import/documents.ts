// Owns: the documents of a file that holds one, one a line, or a list of them, each put together from the parts of it that
// are wanted: a document of any size is never held whole.
import { LIMITS, sizeWords } from './limits.ts';
import { pointerOf, type Notes } from './notes.ts';
import type { Input } from './read.ts';
import { recordsOf, shapeOf } from './records.ts';
import { place, readTree } from './tree.ts';
import { isFields, parseValue, type Fields } from './values.ts';
import { createWalk, type Path, type Problem, type Walk, type Wish } from './walk.ts';

/** `pointer` stands before every place in it; '' for the only one of its file. */
export type Document = { tree: Fields; pointer: string; isAlone: boolean };

/** In order. Throws `ImportStop` where there is one and it is broken; a broken line among others is noted and passed over. */
export async function* documentsOf(input: Input, wish: (path: Path) => Wish): AsyncGenerator<Document> {
  const shape = await shapeOf(input);
  if (shape === 'list') {
    for await (const { value, pointer } of recordsOf(input))
      if (isFields(value)) yield { tree: value, pointer, isAlone: false };
  } else if (shape === 'lines' && (await hasSeveral(input))) {
    yield* ofLines(input, wish);
  } else {
    const tree = await readTree(input.chunks(), { wish, notes: input.notes });
    yield { tree, pointer: '', isAlone: true };
  }
}

/** Whether anything but space follows on the first line that holds something. */
async function hasSeveral({ chunks }: Input): Promise<boolean> {
  let stage: 'before' | 'in' | 'after' = 'before';
  for await (const chunk of chunks()) {
    for (let at = 0; at < chunk.length; at += 1) {
      if (stage === 'in') {
        const end = chunk.indexOf(NEWLINE, at);
        if (end === -1) break;
        at = end;
        stage = 'after';
      } else if (!SPACE.has(chunk[at] ?? 0)) {
        if (stage === 'after') return true;
        stage = 'in';
      }
    }
  }
  return false;
}

const NEWLINE = 0x0a;
const SPACE: ReadonlySet<number> = new Set([NEWLINE, 0x0d, 0x09, 0x20]);

async function* ofLines(input: Input, wish: (path: Path) => Wish): AsyncGenerator<Document> {
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
function createLine(notes: Notes, wish: (path: Path) => Wish, number: number) {
  const pointer = pointerTo(number);
  const tree: Fields = {};
  let size = 0;
  let walk: Walk | null = null;
  const onDropped = ({ code, message, path }: Problem): void =>
    notes.skip(code, message, pointer + pointerOf(path));
  const take = (bytes: Buffer): void => {
    walk ??= createWalk({ wish, onDropped });
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
      if (walk !== null || bytes.some((byte) => !SPACE.has(byte))) take(bytes);
    },
    /** Null for an empty line, and for one that is no document. */
    end: (): Fields | null => {
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
