// Owns: what an episode's record says that a reward may count. Judged by what the agent proposed, never by what a
// person made of it, and only by what came from the environment.
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import type { Move } from '../../shared/events/turns.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { canonical } from '../../shared/canonical.ts';
import { isFormatError } from '../../shared/episode/formatError.ts';
import { isToolError } from '../../shared/wire.ts';

export type CallFact = {
  turn: number;
  /** Tool and arguments as the agent proposed them. */
  key: string;
  outcome: 'ok' | 'failed' | 'format_error';
  /** The agent's own call, with the environment's own answer: not edited, answered or rejected by a person. */
  isOwn: boolean;
};

export type Facts = {
  /** The verifier's label, run by the host. Null where it did not run. */
  label: string | null;
  turns: number;
  /** Turns that could be read as a move and whose call was well formed. */
  wellFormed: number;
  calls: CallFact[];
  /** Turn of the first ask that was answered or waited for; null when nobody was asked. */
  firstAsk: number | null;
  asks: number;
};

/** Facts of one episode. Turns of a take-over and copied turns are not the agent's and do not count. */
export function factsOf(record: EpisodeRecord): Facts {
  const own = record.turns.filter((turn) => turn.actor.type === 'agent' && !turn.isCopied);
  const asks = record.consultations.filter(({ turn }) => own.some((one) => one.turn === turn));
  return {
    label: record.verified?.reward_type ?? null,
    turns: own.length,
    wellFormed: own.filter((turn) => isWellFormed(record.tools, turn)).length,
    calls: own.flatMap((turn) => callOf(record.tools, turn) ?? []),
    firstAsk: asks.length === 0 ? null : Math.min(...asks.map(({ turn }) => turn)),
    asks: asks.length,
  };
}

function isWellFormed(tools: readonly ToolSpec[], { move, call }: Turn): boolean {
  if (move === null || move.type === 'malformed') return false;
  if (call?.refused?.reason === 'malformed' || call?.refused?.reason === 'unknown_tool') return false;
  return !isFormatError(tools, move, call?.decision ?? null, call?.returned?.rewardType ?? null);
}

function callOf(tools: readonly ToolSpec[], { turn, move, call }: Turn): CallFact | null {
  if (move?.type !== 'call_tool') return null;
  // The same arguments in another order are the same call.
  const key = canonical([move.tool_name, move.arguments]);
  const decision = call?.decision?.type ?? null;
  const isOwn = decision === null || decision === 'approved' || decision === 'expired';
  return { turn, key, isOwn, outcome: outcomeOf(tools, move, call) };
}

function outcomeOf(tools: readonly ToolSpec[], move: Move, call: Turn['call']): CallFact['outcome'] {
  const returned = call?.returned ?? null;
  const isRefused = (call?.refused ?? null) !== null;
  if (isRefused || isFormatError(tools, move, call?.decision ?? null, returned?.rewardType ?? null)) {
    return 'format_error';
  }
  return returned === null || isToolError(returned.error, returned.rewardType) ? 'failed' : 'ok';
}
