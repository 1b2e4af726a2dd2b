// What is wrong with a split file that was picked. Pure.
import { TaskLists } from '../../../shared/split.ts';
import { jsonErrorAt } from '../../parts/advice/planCheck.ts';

const CHARACTERS_MAX = 4_000_000;
const EXCERPT_MAX = 40;

/** Names the place and what should stand there; null for a file that lists tasks. */
export function splitFileProblem(text: string): string | null {
  if (text.length > CHARACTERS_MAX) return 'The file is larger than 4 MB.';
  const at = jsonErrorAt(text);
  if (at !== null) return `Not JSON: line ${placeText(text, at)}.`;
  const value: unknown = JSON.parse(text);
  const { success, error } = TaskLists.safeParse(value);
  if (success) {
    const hasList = (value as TaskLists).train !== undefined || (value as TaskLists).val !== undefined;
    return hasList ? null : 'The file has neither a train nor a val list.';
  }
  const [list, index] = error.issues[0]?.path ?? [];
  if (list === undefined)
    return `The file holds ${kindText(value)}: it has to be an object with train and val.`;
  const found = (value as Record<string, unknown>)[String(list)];
  if (typeof index !== 'number' || !Array.isArray(found))
    return `${String(list)} is ${kindText(found)}: it has to be a list of ["scenario", task number].`;
  return `${String(list)}, entry ${String(index + 1)} is ${excerptOf(found[index])}: it has to be ["scenario", task number].`;
}

function placeText(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const found = text.slice(at).trimStart() === '' ? 'the file ends' : `${excerptOf(text[at])} cannot stand`;
  return `${String(before.length)}, column ${String(column)}: ${found} here`;
}

function kindText(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function excerptOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text;
}
