// The question an advisor learns to answer, in words and without anything from the answer key.
import type { Attempt } from '../../../shared/contract/rows.ts';
import type { Text } from '../../../shared/events/text.ts';
import { attemptsBefore, fateWords } from '../../../shared/episode/attempts.ts';
import type { Consultation, EpisodeRecord } from '../../../shared/episode/record.ts';
import { toolLines } from '../../llm/toolText.ts';
import { safeText } from './json.ts';

/** The task, what was tried, and the question; null where no question is known. */
export function advisorQuestion(
  record: EpisodeRecord,
  { task, question, before }: Consultation,
  loadText: (text: Text) => string,
): string | null {
  const asked = question === null ? (task ?? '') : loadText(question);
  if (asked.trim() === '') return null;
  const set = record.reset?.task ?? null;
  const attempts = attemptsBefore(record, before).map(
    (attempt) => `- ${attempt.tool_name}(${attempt.arguments}) -> ${resultWords(attempt)}`,
  );
  return safeText(
    [
      `Task: ${set === null ? (task ?? '') : loadText(set)}`,
      ...(attempts.length === 0 ? [] : [`What the agent tried:\n${attempts.join('\n')}`]),
      `The agent asks: ${asked}`,
      'Give it a plan.',
    ].join('\n\n'),
  );
}

/** The tools an advisor may name, a line each; an empty text where none are known. */
export const knownTools = ({ tools }: EpisodeRecord): string =>
  tools.length === 0 ? '' : safeText(`The agent’s tools, one JSON object per line:\n${toolLines(tools)}`);

const resultWords = (attempt: Attempt): string => {
  if (attempt.fate === 'went_through') return attempt.by === 'human' ? 'ok (made by a person)' : 'ok';
  return attempt.fate === 'failed' ? (attempt.error ?? 'failed') : fateWords(attempt);
};
