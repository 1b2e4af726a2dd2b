// What the Agent World Model data says of a verifier beside its code: the criteria its author wrote down.
import { z } from 'zod';
import { tryJson } from '../../shared/json.ts';

const Words = z.union([z.string(), z.array(z.unknown())]).nullish();
const Notes = z.looseObject({
  reasoning: Words,
  success_criteria: Words,
  failure_criteria: Words,
  key_checks: Words,
});

const SECTIONS = [
  ['success_criteria', 'Success'],
  ['failure_criteria', 'Failure'],
  ['key_checks', 'Key checks'],
  ['reasoning', 'Reasoning of the verifier’s author'],
] as const;

/** The criteria in a verifier's `raw_response`, as text; null where it holds none. */
export function criteriaInNotes(rawResponse: string | null): string | null {
  const notes = Notes.safeParse(tryJson(rawResponse ?? ''));
  if (!notes.success) return null;
  const found = SECTIONS.flatMap(([field, title]) => {
    const text = wordsText(notes.data[field] ?? null);
    return text === ''
      ? []
      : [text.includes('\n') || text.startsWith('- ') ? `${title}:\n${text}` : `${title}: ${text}`];
  });
  return found.length === 0 ? null : found.join('\n\n');
}

function wordsText(words: string | unknown[] | null): string {
  if (words === null) return '';
  if (typeof words === 'string') return words.trim();
  return words.map((one) => `- ${typeof one === 'string' ? one.trim() : JSON.stringify(one)}`).join('\n');
}
