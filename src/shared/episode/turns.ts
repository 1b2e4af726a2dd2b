// Owns: folding one turn's facts: the reply, the move, the call's fate, and the messages the agent reads.
import type { EventOf, Recorded } from '../events/vocabulary.ts';
import { RewardType } from '../wire.ts';
import { changeTurn, withItem } from './change.ts';
import type { Call, EpisodeRecord, Message, Turn } from './record.ts';

type TurnEvent = EventOf<
  | 'message.added'
  | 'turn.generated'
  | 'model.failed'
  | 'move.proposed'
  | 'call.refused'
  | 'call.sent'
  | 'call.returned'
>;

/** Labels that say the call itself was badly formed. */
const FORMAT_ERRORS: ReadonlySet<string> = new Set(['tool_not_found', 'invalid_args', 'invalid_action']);

export function foldTurn(record: EpisodeRecord, recorded: Recorded, event: TurnEvent): EpisodeRecord {
  switch (event.kind) {
    case 'message.added':
      return { ...record, messages: [...record.messages, messageOf(event, recorded.n)] };
    case 'turn.generated':
      return withItem(withTurn(record, recorded, event), recorded, { type: 'turn', turn: event.turn });
    case 'model.failed':
      return withItem(record, recorded, {
        type: 'model_failed',
        turn: event.turn,
        code: event.code,
        message: event.message,
        retryInMs: event.retry_in_ms,
      });
    case 'move.proposed':
      return withMove(record, event);
    case 'call.refused':
      return count(
        withCall(record, event.call, event.tool_name, {
          refused: { at: recorded.at, reason: event.reason, text: event.text },
        }),
        { refused: 1 },
      );
    case 'call.sent':
      return withCall(record, event.call, event.tool_name, {
        sent: { at: recorded.at, toolName: event.tool_name, arguments: event.arguments },
      });
    case 'call.returned':
      return withReturn(record, recorded, event);
  }
}

const messageOf = (event: EventOf<'message.added'>, n: number): Message => ({
  role: event.role,
  content: event.content,
  turn: event.turn,
  n,
  origin: event.origin,
  toolCalls: [],
  toolCallId: event.tool_call_id,
  name: event.name,
  segments: event.segments,
  fullLength: event.full_length,
});

function withTurn(
  record: EpisodeRecord,
  { n, at }: Recorded,
  event: EventOf<'turn.generated'>,
): EpisodeRecord {
  const turn: Turn = {
    turn: event.turn,
    at,
    n,
    content: event.content,
    reasoning: event.reasoning,
    toolCalls: event.tool_calls,
    model: event.model,
    stopReason: event.stop_reason,
    usage: event.usage,
    latencyMs: event.latency_ms,
    callId: null,
    move: null,
    repairs: [],
    ignoredCalls: 0,
    call: null,
    consultation: null,
  };
  const said: Message = {
    role: 'assistant',
    content: event.content,
    turn: event.turn,
    n,
    origin: 'agent',
    toolCalls: event.tool_calls,
    toolCallId: null,
    name: null,
    segments: [],
    fullLength: event.content.length,
  };
  return count(
    { ...record, turns: [...record.turns, turn], messages: [...record.messages, said] },
    { turns: 1 },
  );
}

function withMove(record: EpisodeRecord, event: EventOf<'move.proposed'>): EpisodeRecord {
  const moved = changeTurn(
    record,
    (t) => t.turn === event.turn,
    (turn) => ({
      ...turn,
      callId: event.call,
      move: event.move,
      repairs: event.repairs,
      ignoredCalls: event.ignored_calls,
    }),
  );
  return event.move.type === 'malformed' ? count(moved, { formatErrors: 1 }) : moved;
}

function withReturn(record: EpisodeRecord, { at }: Recorded, event: EventOf<'call.returned'>): EpisodeRecord {
  const returned: NonNullable<Call['returned']> = {
    at,
    rewardType: event.reward_type,
    reward: event.reward,
    done: event.done,
    text: event.text,
    error: event.error,
    frame: event.frame,
    latencyMs: event.latency_ms,
  };
  const label = event.reward_type ?? '';
  const isError = event.error !== null || RewardType.toolErrors.has(label);
  return count(withCall(record, event.call, null, { returned }), {
    toolErrors: isError ? 1 : 0,
    formatErrors: FORMAT_ERRORS.has(label) ? 1 : 0,
  });
}

function withCall(
  record: EpisodeRecord,
  callId: string,
  toolName: string | null,
  change: Partial<Call>,
): EpisodeRecord {
  return changeTurn(
    record,
    (t) => t.callId === callId,
    (turn) => {
      const call = turn.call ?? {
        id: callId,
        toolName: toolName ?? '',
        sent: null,
        refused: null,
        returned: null,
      };
      return { ...turn, call: { ...call, ...change } };
    },
  );
}

const count = (
  record: EpisodeRecord,
  by: Partial<Pick<EpisodeRecord['counts'], 'turns' | 'formatErrors' | 'toolErrors' | 'refused'>>,
): EpisodeRecord => ({
  ...record,
  counts: {
    ...record.counts,
    turns: record.counts.turns + (by.turns ?? 0),
    formatErrors: record.counts.formatErrors + (by.formatErrors ?? 0),
    toolErrors: record.counts.toolErrors + (by.toolErrors ?? 0),
    refused: record.counts.refused + (by.refused ?? 0),
  },
});
