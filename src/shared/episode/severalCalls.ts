// Replies of several calls, each a turn of its own. Pure.
import type { EpisodeRecord, Turn } from './record.ts';

/** The turn that holds the words and all calls of the reply that this turn belongs to. */
export const replyOfTurn = ({ turns }: EpisodeRecord, { turn, replyOf }: Turn): Turn | undefined =>
  turns.find((one) => one.turn === (replyOf ?? turn));

/** Which call of its reply a turn is, counted from 1, and all of them by name; null where the reply made one. */
export function placeInReply(record: EpisodeRecord, number: number): { nth: number; names: string[] } | null {
  const turn = record.turns.find((one) => one.turn === number);
  const reply = turn === undefined ? undefined : replyOfTurn(record, turn);
  // Where only the first was carried out, the others are told as left out.
  if (reply === undefined || reply.ignoredCalls > 0) return null;
  const names = reply.toolCalls.map(({ name }) => name);
  const made = record.turns.filter(
    ({ turn: one, replyOf }) => one <= number && (one === reply.turn || replyOf === reply.turn),
  );
  return names.length < 2 ? null : { nth: made.length, names };
}
