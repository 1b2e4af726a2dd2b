// Puts together the wanted parts of a document; what is skipped is never parsed or held.
import { LIMITS, sizeWords } from './limits.ts';
import type { ImportNotes } from './importNotes.ts';
import type { Chunks } from './bytes.ts';
import { documentValues } from './bytes.ts';
import type { Path } from './paths.ts';
import { ImportStop } from './stop.ts';
import { isJsonRecord, type JsonRecord } from './values.ts';
import type { JsonProblem, Wish } from './walk.ts';

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
