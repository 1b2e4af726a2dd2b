// Describes the intention of a turn in a sentence, with the names of records that the agent had read by then.
import { createNameReader, nameOf, type NameOf, namesOfRecord, shownResult } from '../sentences/names.ts';
import { madeCallSentence, type Sentence } from '../sentences/sentence.ts';
import { kindOfId } from '../sentences/words.ts';
import type { EpisodeRecord, Turn } from './record.ts';

/** Says what a call of a tool does. */
export type SayCall = (tool: string, args: Readonly<Record<string, unknown>>) => Sentence;

const sayWith =
  ({ tools }: Pick<EpisodeRecord, 'tools'>, names: NameOf): SayCall =>
  (name, args) =>
    madeCallSentence(tools.find((tool) => tool.name === name) ?? { name }, args, names);

/** Says calls of one turn. */
export const sayCallsIn = (record: EpisodeRecord, { turn }: Turn): SayCall =>
  sayWith(record, nameOf(namesOfRecord(record, turn)));

/** The call that was sent, else the one that was wanted; empty of a turn that wants none. */
export function turnSentence(record: EpisodeRecord, turn: Turn): string {
  const { move, call } = turn;
  if (move?.type !== 'call_tool') return '';
  const say = sayCallsIn(record, turn);
  return (call?.sent ? say(call.sent.toolName, call.sent.arguments) : say(move.tool_name, move.arguments))
    .text;
}

/** Says the calls of one turn after another; each result is read once, and none while no call has an id. */
export function createSayCalls(): (record: EpisodeRecord, turn: Turn) => SayCall {
  let reader = createNameReader();
  let read: unknown[] = [];
  let last: EpisodeRecord | null = null;
  const readBefore = (record: EpisodeRecord, end: number): void => {
    const { turns } = record;
    const isSame = record === last || read.every((returned, at) => returned === turns[at]?.call?.returned);
    const isAhead = read.length > 0 && (turns[read.length - 1]?.turn ?? end) >= end;
    if (!isSame || isAhead) [reader, read] = [createNameReader(), []];
    last = record;
    for (let next = turns[read.length]; next !== undefined && next.turn < end; next = turns[read.length]) {
      const result = shownResult(next);
      if (result !== null) reader.read(result);
      read.push(next.call?.returned);
    }
  };
  return (record, { turn }) =>
    sayWith(record, (argument, value, hint) => {
      if (kindOfId(argument) === null) return null;
      readBefore(record, turn);
      return nameOf(reader.names)(argument, value, hint);
    });
}
