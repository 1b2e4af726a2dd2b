// Finds the turns of the wire that the replies of an external transcript belong to, by their calls and in order. Only
// calls of an orchestrator may lie between two of them.
import { isAtSeat } from '../../../shared/events/actor.ts';
import { canonical } from '../../../shared/canonical.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Move } from '../../../shared/events/turns.ts';
import { ASK_EXPERT, RESERVED_TOOLS } from '../../../shared/wire.ts';

export type ReplyPlacement = {
  /** The turns of the `nth` reply's calls, or the one that the client itself named. */
  place: (nth: number, input: number | null) => Turn[];
  /** A turn that a person changed is at no reply. */
  missed: () => boolean;
};
type PlacedCall = Extract<Move, { type: 'call_tool' | 'ask_expert' }>;

/** `replies` are the moves of each reply that was told. */
export function createReplyPlacement(
  record: EpisodeRecord,
  replies: readonly (readonly Move[])[],
): ReplyPlacement {
  const turns = record.turns.filter(({ actor }) => !isAtSeat(actor));
  const calls = replies.flatMap((moves, nth) => moves.filter(isPlacedCall).map((move) => ({ nth, move })));
  const placed = new Set<Turn>();
  const known = new Set(
    turns.flatMap(({ move }) => (move !== null && isPlacedCall(move) ? [calledTool(move)] : [])),
  );
  let next = 0;
  let nextCall = 0;
  const find = (move: PlacedCall): Turn | null => {
    for (let at = next; at < turns.length; at += 1) {
      const turn = turns[at];
      const made = turn?.move && isPlacedCall(turn.move) ? turn.move : null;
      if (turn !== undefined && made !== null && calledTool(made) === calledTool(move)) {
        // A client may refuse a call itself: where a later reply makes just the call of the wire, this one was not sent.
        if (!callsEqual(made, move) && calls.slice(nextCall).some((one) => callsEqual(made, one.move)))
          return null;
        next = at + 1;
        return turn;
      }
      if (made?.type === 'call_tool' && !RESERVED_TOOLS.has(made.tool_name)) return null;
    }
    return null;
  };
  return {
    place: (nth, input) => {
      const own = calls.filter((call) => call.nth === nth && known.has(calledTool(call.move)));
      const fits = ({ move }: Turn): boolean =>
        own.length === 0 ||
        own.some((call) => move !== null && isPlacedCall(move) && calledTool(move) === calledTool(call.move));
      const named = input === null ? undefined : turns.find((one) => one.turn === input && fits(one));
      const found: Turn[] = named === undefined ? [] : [named];
      for (; calls[nextCall]?.nth === nth;) {
        const move = calls[nextCall]?.move;
        nextCall += 1;
        const turn = named === undefined && move !== undefined ? find(move) : null;
        if (turn !== null) found.push(turn);
      }
      if (named !== undefined) next = Math.max(next, turns.indexOf(named) + 1);
      for (const turn of found) placed.add(turn);
      return found;
    },
    missed: () => turns.some((turn) => turn.touched !== null && !placed.has(turn)),
  };
}

const isPlacedCall = (move: Move): move is PlacedCall =>
  move.type === 'call_tool' || move.type === 'ask_expert';
const calledTool = (move: PlacedCall): string => (move.type === 'call_tool' ? move.tool_name : ASK_EXPERT);
/** The words of a question stand in its consultation: two asks are the same. */
const callsEqual = (a: PlacedCall, b: PlacedCall): boolean =>
  a.type === 'ask_expert' || b.type === 'ask_expert'
    ? a.type === b.type
    : a.tool_name === b.tool_name && canonical(a.arguments) === canonical(b.arguments);
