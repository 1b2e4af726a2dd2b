// Owns: a document put together from the parts of it that are wanted; what is passed over is never parsed or held.
import { LIMITS, sizeWords } from './limits.ts';
import type { Notes } from './notes.ts';
import type { Chunks } from './bytes.ts';
import { valuesOf } from './bytes.ts';
import { ImportStop } from './stop.ts';
import { isFields, type Fields } from './values.ts';
import type { Path, Problem, Wish } from './walk.ts';

type Options = { wish: (path: Path) => Wish; notes: Notes; prefix?: string };

/** Throws `ImportStop` for a document that is broken or cut off: half a document is no episode. */
export async function readTree(chunks: Chunks, options: Options): Promise<Fields> {
  const { tree, problem } = await readParts(chunks, options);
  if (problem !== null)
    throw new ImportStop(problem.code, `the document is cut off or broken: ${problem.message}`);
  return tree;
}

/** The same, with what could be read of a broken document. */
export async function readParts(
  chunks: Chunks,
  options: Options,
): Promise<{ tree: Fields; problem: Problem | null }> {
  const tree: Fields = {};
  let size = 0;
  const values = valuesOf(chunks, options);
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
export function place(tree: Fields, path: Path, value: unknown): void {
  if (path.length === 0) {
    if (isFields(value)) Object.assign(tree, value);
    return;
  }
  let at: Fields | unknown[] = tree;
  path.forEach((step, index) => {
    if (index === path.length - 1) return put(at, step, value);
    const known = Object.hasOwn(at, step) ? (at as Fields)[step] : undefined;
    if (typeof known === 'object' && known !== null) {
      at = known as Fields | unknown[];
      return;
    }
    const made: Fields | unknown[] = typeof path[index + 1] === 'number' ? [] : {};
    put(at, step, made);
    at = made;
  });
}

const put = (at: Fields | unknown[], step: string | number, value: unknown): void => {
  // Assignment to this name would set the prototype instead.
  if (step === '__proto__') Object.defineProperty(at, step, { value, enumerable: true, writable: true });
  else (at as Fields)[step] = value;
};
