// What was wanted in a turn, as a sentence with the names of records.
import { nameOf, type NameOf, namesOfRecord } from '../sentences/names.ts';
import { callSentence, type Sentence } from '../sentences/sentence.ts';
import type { EpisodeRecord, Turn } from './record.ts';

/** The call that was sent, else the one that was wanted; null of a turn that wants none. */
export function sentenceOfTurn(
  { tools }: Pick<EpisodeRecord, 'tools'>,
  { move, call }: Turn,
  names: NameOf,
): Sentence | null {
  if (move?.type !== 'call_tool') return null;
  const wanted = call?.sent ?? { toolName: move.tool_name, arguments: move.arguments };
  const tool = tools.find(({ name }) => name === wanted.toolName) ?? { name: wanted.toolName };
  return callSentence(tool, wanted.arguments, names);
}

/** The same as text, with the names that the agent had read by then; empty where there is none. */
export const turnSentence = (record: EpisodeRecord, turn: Turn): string =>
  sentenceOfTurn(record, turn, nameOf(namesOfRecord(record, turn.turn)))?.text ?? '';
