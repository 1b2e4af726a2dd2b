// Owns: at which turns of the wire the replies of a told conversation stand: by their calls, in order. Only what an
// orchestrator did may lie between two of them.
import { canonical } from '../../../shared/canonical.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Move } from '../../../shared/events/turns.ts';
import { RESERVED_TOOLS } from '../../../shared/wire.ts';

export type Placing = {
  /** The turns of the `nth` reply's calls, or the one that the client itself named. */
  place: (nth: number, told: number | null) => Turn[];
  /** A turn that a person changed is at no reply. */
  missed: () => boolean;
};
type Called = Extract<Move, { type: 'call_tool' }>;

/** `replies` are the moves of each reply that was told. */
export function createPlacing(record: EpisodeRecord, replies: readonly (readonly Move[])[]): Placing {
  const turns = record.turns.filter(({ actor }) => actor.type !== 'human');
  const calls = replies.flatMap((moves, nth) => moves.filter(isCall).map((move) => ({ nth, move })));
  const placed = new Set<Turn>();
  let next = 0;
  let nextCall = 0;
  const find = (move: Called): Turn | null => {
    for (let at = next; at < turns.length; at += 1) {
      const turn = turns[at];
      const made = turn?.move?.type === 'call_tool' ? turn.move : null;
      if (turn !== undefined && made?.tool_name === move.tool_name) {
        // A client may refuse a call itself: where a later reply makes just the call of the wire, this one was not sent.
        if (!isSame(made, move) && calls.slice(nextCall).some((one) => isSame(made, one.move))) return null;
        next = at + 1;
        return turn;
      }
      if (made !== null && !RESERVED_TOOLS.has(made.tool_name)) return null;
    }
    return null;
  };
  return {
    place: (nth, told) => {
      const named = told === null ? undefined : turns.find(({ turn }) => turn === told);
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

const isCall = (move: Move): move is Called => move.type === 'call_tool';
const isSame = (a: Called, b: Called): boolean =>
  a.tool_name === b.tool_name && canonical(a.arguments) === canonical(b.arguments);
