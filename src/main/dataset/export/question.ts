// Owns: what an expert was asked, in words, without anything of the answer key: what an advisor learns to answer.
import type { Attempt } from '../../../shared/contract/rows.ts';
import type { Text } from '../../../shared/events/text.ts';
import { attemptsBefore, fateWords } from '../../../shared/episode/attempts.ts';
import type { Consultation, EpisodeRecord } from '../../../shared/episode/record.ts';
import { toolLines } from '../../llm/toolText.ts';
import { safeText } from './json.ts';

/** The task, what was tried, and the question; null where no question is known. */
export function questionText(
  record: EpisodeRecord,
  { task, question, turn }: Consultation,
  whole: (text: Text) => string,
): string | null {
  const asked = question === null ? (task ?? '') : whole(question);
  if (asked.trim() === '') return null;
  const set = record.reset?.task ?? null;
  const attempts = attemptsBefore(record, turn).map(
    (attempt) => `- ${attempt.tool_name}(${attempt.arguments}) -> ${resultWords(attempt)}`,
  );
  return safeText(
    [
      `Task: ${set === null ? (task ?? '') : whole(set)}`,
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
