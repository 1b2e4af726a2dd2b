// What the agent wanted in a turn, as a sentence with the names that it had read by then.
import { nameOf } from '../sentences/names.ts';
import { namesOfRecord } from '../sentences/recordNames.ts';
import { callSentence } from '../sentences/sentence.ts';
import type { EpisodeRecord, Turn } from './record.ts';

/** Empty of a turn that wants no call. */
export function turnSentence(record: Pick<EpisodeRecord, 'turns' | 'tools'>, { turn, move }: Turn): string {
  if (move?.type !== 'call_tool') return '';
  const tool = record.tools.find(({ name }) => name === move.tool_name) ?? { name: move.tool_name };
  return callSentence(tool, move.arguments, nameOf(namesOfRecord(record, turn))).text;
}
