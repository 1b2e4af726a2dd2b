// The records of a file that holds many: JSON lines, a JSON list, or one document.
import { byteLines, documentValues } from './bytes.ts';
import type { ImportInput } from './formatReader.ts';
import { LIMITS } from './limits.ts';
import { parseValue } from './values.ts';
import { isDeeperThan } from './skipValue.ts';

export type RecordFound = { value: unknown; pointer: string };

/** Records in order; a broken one is noted and passed over. */
export async function* fileRecords(input: ImportInput): AsyncGenerator<RecordFound> {
  const shape = await shapeOf(input);
  if (shape === 'lines') {
    for await (const lines of byteLines(input.chunks(), input.notes)) {
      for (const { line, bytes } of lines) {
        const pointer = `line ${String(line)}`;
        if (isDeeperThan(bytes, LIMITS.depth)) {
          input.notes.skip('too_deep', `nested deeper than ${String(LIMITS.depth)} brackets`, pointer);
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
  });
  for await (const { value, pointer } of values) yield { value, pointer };
}

/** Lines when the first line that holds anything is a document by itself, or when a later one is. */
export async function shapeOf({ chunks }: ImportInput): Promise<'lines' | 'list' | 'documents'> {
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
