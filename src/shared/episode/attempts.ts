// Lists the attempts before a moment of an episode, and what became of each. Pure.
import type { Attempt } from './rowShapes.ts';
import { textHead } from '../events/text.ts';
import type { JsonObject } from '../events/turns.ts';
import { isToolError } from '../wire.ts';
import type { Call, EpisodeRecord, Turn } from './record.ts';
import { isReplyUnknown } from './restarts.ts';

const ARGUMENTS_HEAD = 300;
const ERROR_HEAD = 600;
/** The number of last steps in an ask. */
const ATTEMPTS = 3;

/** The last calls before a turn, oldest first: the agent's, and those a person made in its place, marked as such. */
export function attemptsBefore(record: EpisodeRecord, turn: number): Attempt[] {
  const tried = record.turns.filter((one) => one.call !== null && one.turn < turn).slice(-ATTEMPTS);
  return tried.flatMap((one) => attemptOf(one) ?? []);
}

function attemptOf({ turn, call, move, actor, isDiscarded }: Turn): Attempt | null {
  if (call === null) return null;
  const tried = triedCall(call, move);
  const outcome = attemptOutcome(call);
  return {
    turn,
    tool_name: tried.toolName,
    arguments: JSON.stringify(tried.arguments).slice(0, ARGUMENTS_HEAD),
    error: outcome.error?.slice(0, ERROR_HEAD) ?? null,
    fate: outcome.fate,
    reason: outcome.reason?.slice(0, ERROR_HEAD) ?? null,
    by: actor.type === 'human' ? 'human' : 'agent',
    is_discarded: isDiscarded,
  };
}

export type TriedCall = { toolName: string; arguments: JsonObject };

/** As it was sent; one that was not, as it was proposed. */
export const triedCall = ({ sent, toolName }: Call, move: Turn['move']): TriedCall => ({
  toolName: sent?.toolName ?? toolName,
  arguments: sent?.arguments ?? (move?.type === 'call_tool' ? move.arguments : {}),
});

type AttemptOutcome = { fate: NonNullable<Attempt['fate']>; error: string | null; reason: string | null };

function attemptOutcome(call: Call): AttemptOutcome {
  const { refused, returned, decision } = call;
  if (refused !== null) return { fate: 'failed', error: textHead(refused.text), reason: null };
  if (returned !== null) {
    const isError = isToolError(returned.error, returned.reward_type);
    const error = returned.error === null ? null : textHead(returned.error);
    return isError
      ? { fate: 'failed', error: error ?? returned.reward_type, reason: null }
      : { fate: 'went_through', error: null, reason: null };
  }
  if (isReplyUnknown(call)) return { fate: 'unknown', error: null, reason: null };
  switch (decision?.type) {
    case 'rejected':
      return { fate: 'rejected', error: null, reason: decision.reason };
    case 'answered':
      return { fate: 'answered', error: decision.isError ? textHead(decision.text) : null, reason: null };
    case 'cancelled':
      return { fate: 'not_sent', error: null, reason: decision.reason };
    case 'expired':
      return { fate: 'not_sent', error: null, reason: 'nobody approved this in time' };
    default:
      return { fate: 'not_sent', error: null, reason: null };
  }
}

/** An attempt in words, for a model: `succeeded`, `failed: …`, `not sent: a person rejected it: …`. */
export function fateWords({ fate, error, reason = null }: Attempt): string {
  const why = reason === null ? '' : `: ${reason}`;
  switch (fate ?? (error === null ? 'went_through' : 'failed')) {
    case 'went_through':
      return 'succeeded';
    case 'failed':
      return `failed: ${error ?? ''}`;
    case 'rejected':
      return `was not sent; a person rejected it${why}`;
    case 'answered':
      return error === null
        ? 'was not sent; a person gave its result'
        : `was not sent; a person gave it an error: ${error}`;
    case 'not_sent':
      return `was not sent${why}`;
    case 'unknown':
      return 'was sent; its answer was lost, so nobody knows whether it was carried out';
  }
}

/** Trouble before an ask: errors in a row, and calls that had been made before. What was never sent is neither. */
export function troubleBefore({ turns }: EpisodeRecord, turn: number) {
  const calls = turns.flatMap(({ turn: number, call }) => (number < turn && call !== null ? [call] : []));
  const tried = calls.filter(({ refused, returned }) => refused !== null || returned !== null);
  const lastGood = tried.findLastIndex((call) => attemptOutcome(call).fate === 'went_through');
  const made = calls.flatMap(({ sent }) =>
    sent === null ? [] : JSON.stringify([sent.toolName, sent.arguments]),
  );
  return { error_streak: tried.length - 1 - lastGood, repeated_calls: made.length - new Set(made).size };
}
