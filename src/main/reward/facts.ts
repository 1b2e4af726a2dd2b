// Owns: what an episode's record says that a reward may count. Judged by what the agent proposed, never by what a
// person made of it, and only by what came from the environment.
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import { RewardType } from '../../shared/wire.ts';

/** Labels that say a call was badly formed: an error of the writer, not a try that failed. */
const FORMAT_LABELS: ReadonlySet<string> = new Set(['tool_not_found', 'invalid_args', 'invalid_action']);

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
    wellFormed: own.filter(isWellFormed).length,
    calls: own.flatMap((turn) => callOf(turn) ?? []),
    firstAsk: asks.length === 0 ? null : Math.min(...asks.map(({ turn }) => turn)),
    asks: asks.length,
  };
}

function isWellFormed({ move, call }: Turn): boolean {
  if (move === null || move.type === 'malformed') return false;
  if (call?.refused?.reason === 'malformed' || call?.refused?.reason === 'unknown_tool') return false;
  return !FORMAT_LABELS.has(call?.returned?.rewardType ?? '');
}

function callOf({ turn, move, call }: Turn): CallFact | null {
  if (move?.type !== 'call_tool') return null;
  const key = JSON.stringify([move.tool_name, sorted(move.arguments)]);
  const decision = call?.decision?.type ?? null;
  const isOwn = decision === null || decision === 'approved' || decision === 'expired';
  return { turn, key, isOwn, outcome: outcomeOf(call) };
}

function outcomeOf(call: Turn['call']): CallFact['outcome'] {
  const label = call?.returned?.rewardType ?? '';
  if ((call?.refused ?? null) !== null || FORMAT_LABELS.has(label)) return 'format_error';
  const returned = call?.returned ?? null;
  if (returned === null) return 'failed';
  return returned.error !== null || RewardType.toolErrors.has(label) ? 'failed' : 'ok';
}

/** The same arguments in another order are the same call. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
