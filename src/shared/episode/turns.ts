// Folding one turn's facts: the reply, the move, the call's fate, and the messages the agent reads.
import type { ToolSpec } from '../events/lifecycle.ts';
import { type Text, textHead } from '../events/text.ts';
import type { Move } from '../events/turns.ts';
import type { EventOf } from '../events/vocabulary.ts';
import { isRecord } from '../json.ts';
import { checkValue } from '../schema/checkValue.ts';
import { truncate } from '../truncate.ts';
import { isReservedTool, isToolError, RewardType } from '../wire.ts';
import { changeTurn, type FoldStep, withItem } from './change.ts';
import type { Call, EpisodeRecord, Message, Turn } from './record.ts';
import { callOf, turnOfCall, newCall } from './calls.ts';

type TurnEvent = EventOf<
  | 'message.added'
  | 'turn.generated'
  | 'model.failed'
  | 'move.proposed'
  | 'call.refused'
  | 'call.sent'
  | 'call.returned'
>;

export function foldTurn(record: EpisodeRecord, step: FoldStep, event: TurnEvent): EpisodeRecord {
  const { at } = step.recorded;
  switch (event.kind) {
    case 'message.added':
      return withMessage(record, step, event);
    case 'turn.generated':
      return withItem(withTurn(record, step, event), step, { type: 'turn', turn: event.turn });
    case 'model.failed':
      return withItem(record, step, {
        type: 'model_failed',
        turn: event.turn,
        code: event.code,
        message: event.message,
        retryInMs: event.retry_in_ms,
      });
    case 'move.proposed':
      return withMove(record, step, event);
    case 'call.refused':
      return withTurnCounts(
        withCall(record, step, event.call, event.tool_name, {
          refused: { at, reason: event.reason, text: event.text },
        }),
        { refused: 1, formatErrors: isBadlyFormed(event.reason) ? 1 : 0 },
      );
    case 'call.sent':
      return withCall(record, step, event.call, event.tool_name, {
        sent: { at, toolName: event.tool_name, arguments: event.arguments },
        ...sentAgain(record, event.call),
      });
    case 'call.returned':
      return withReturn(record, step, event);
  }
}

/** It was in doubt, and a person had it sent once more. */
function sentAgain(record: EpisodeRecord, id: string): Pick<Call, 'doubt'> {
  if (record.restarts.length === 0) return {};
  const doubt = callOf(record, id)?.doubt;
  return doubt === undefined ? {} : { doubt: { ...doubt, isSentAgain: true } };
}

const isBadlyFormed = (reason: EventOf<'call.refused'>['reason']): boolean =>
  reason === 'unknown_tool' || reason === 'malformed';

/** A prompt after the first turn, and words that stand in no other event, are lines of their own. */
export const isLine = ({ role, origin, turn, alone }: EventOf<'message.added'>): boolean =>
  alone === true || (origin === 'prompt' && role === 'user' && turn > 0);

function withMessage(record: EpisodeRecord, step: FoldStep, event: EventOf<'message.added'>): EpisodeRecord {
  const { role, content, origin } = event;
  const lined = isLine(event)
    ? withItem(record, step, { type: 'message', role, origin, text: content })
    : record;
  return {
    ...lined,
    messages: step.lists.append(lined.messages, messageFromEvent(event, step.recorded.n)),
  };
}

const messageFromEvent = (event: EventOf<'message.added'>, n: number): Message => ({
  role: event.role,
  content: event.content,
  turn: event.turn,
  n,
  origin: event.origin,
  toolCalls: [],
  toolCallId: event.tool_call_id,
  name: event.name,
  segments: event.segments,
  full_length: event.full_length,
});

function withTurn(record: EpisodeRecord, step: FoldStep, event: EventOf<'turn.generated'>): EpisodeRecord {
  const { n, at } = step.recorded;
  const replyOf = event.reply_of === undefined ? {} : { replyOf: event.reply_of };
  const turn: Turn = {
    turn: event.turn,
    ...replyOf,
    at,
    n,
    content: event.content,
    reasoning: event.reasoning,
    toolCalls: event.tool_calls,
    model: event.model,
    stopReason: event.stop_reason,
    usage: event.usage,
    latency_ms: event.latency_ms,
    callId: null,
    move: null,
    repairs: [],
    ignoredCalls: 0,
    call: null,
    consultation: null,
    actor: step.recorded.actor,
    ...(event.privilege === undefined ? {} : { privilege: event.privilege }),
    ...(event.marks === undefined ? {} : { marks: event.marks }),
    ...(event.thought === undefined ? {} : { thought: event.thought }),
    ...(event.reasoning_details === undefined ? {} : { reasoningDetails: event.reasoning_details }),
    ...(event.recalled === undefined ? {} : { recalled: event.recalled }),
    isDiscarded: false,
    isCopied: false,
    hasText: true,
    touched: null,
    label: null,
  };
  const said: Message = {
    ...replyOf,
    role: 'assistant',
    content: event.content,
    turn: event.turn,
    n,
    origin: 'agent',
    toolCalls: event.tool_calls,
    toolCallId: null,
    name: null,
    segments: [],
    full_length: event.content.length,
  };
  return withTurnCounts(
    {
      ...record,
      turns: step.lists.append(record.turns, turn),
      messages: step.lists.append(record.messages, said),
    },
    { turns: 1 },
  );
}

/** A move without a reply: a foreign client's turn, of which the wire shows the call alone. */
function withWordlessTurn(
  record: EpisodeRecord,
  step: FoldStep,
  { turn }: EventOf<'move.proposed'>,
): EpisodeRecord {
  if (record.turns.at(-1)?.turn === turn || record.turns.some((one) => one.turn === turn)) return record;
  const began = withTurn(record, step, {
    kind: 'turn.generated',
    turn,
    content: '',
    reasoning: null,
    tool_calls: [],
    model: null,
    stop_reason: null,
    usage: null,
    latency_ms: null,
  });
  const wordless = changeTurn(
    began,
    step,
    (one) => one.turn === turn,
    (one) => ({ ...one, hasText: false }),
  );
  return withItem(wordless, step, { type: 'turn', turn });
}

function withMove(record: EpisodeRecord, step: FoldStep, event: EventOf<'move.proposed'>): EpisodeRecord {
  const moved = changeTurn(
    withWordlessTurn(record, step, event),
    step,
    (t) => t.turn === event.turn,
    (turn) => ({
      ...turn,
      callId: event.call,
      move: event.move,
      repairs: event.repairs,
      ignoredCalls: event.ignored_calls,
      ...(event.confidence === undefined ? {} : { confidence: event.confidence }),
      call: sentAtOnce(step, event) ?? turn.call,
    }),
  );
  return event.move.type === 'malformed' ? withTurnCounts(moved, { formatErrors: 1 }) : moved;
}

/** The call of a move that nothing held up; null of any other. */
function sentAtOnce(
  { recorded: { at } }: FoldStep,
  { call, move, sent }: EventOf<'move.proposed'>,
): Call | null {
  if (sent !== true || move.type !== 'call_tool') return null;
  const { tool_name: toolName, arguments: args } = move;
  return { ...newCall(call, toolName), sent: { at, toolName, arguments: args } };
}

function withReturn(record: EpisodeRecord, step: FoldStep, event: EventOf<'call.returned'>): EpisodeRecord {
  const { at } = step.recorded;
  const returned: NonNullable<Call['returned']> = {
    at,
    reward_type: event.reward_type,
    reward: event.reward,
    done: event.done,
    text: event.text,
    error: event.error,
    frame: event.frame,
    latency_ms: event.latency_ms,
  };
  const isError = isToolError(event.error, event.reward_type);
  const turn = turnOfCall(record, event.call);
  const decision = turn?.call?.decision ?? null;
  const read = withRead(record, step, event, turn?.turn ?? 0);
  return withTurnCounts(withCall(read, step, event.call, null, { returned }), {
    toolErrors: isError ? 1 : 0,
    formatErrors: isFormatError(record.tools, turn?.move ?? null, decision, returned) ? 1 : 0,
  });
}

/** Adds a result as the message the agent read, if it read just that. */
function withRead(
  record: EpisodeRecord,
  step: FoldStep,
  { text, read }: EventOf<'call.returned'>,
  turn: number,
): EpisodeRecord {
  if (read === undefined || text === null) return record;
  const said = { content: text, segments: [], full_length: text.length };
  const message = messageFromEvent(
    { kind: 'message.added', ...read, ...said, origin: 'environment', turn },
    step.recorded.n,
  );
  return { ...record, messages: step.lists.append(record.messages, message) };
}

function withCall(
  record: EpisodeRecord,
  step: FoldStep,
  callId: string,
  toolName: string | null,
  change: Partial<Call>,
): EpisodeRecord {
  return changeTurn(
    record,
    step,
    (t) => t.callId === callId,
    (turn) => {
      const call = turn.call ?? newCall(callId, toolName ?? '');
      return { ...turn, call: { ...call, ...change } };
    },
  );
}

const withTurnCounts = (
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

type ToolAnswer = { error: Text | null; reward_type: string | null };

/**
 * True if the agent's call was a format error: it failed, or a person put another in its place, and it names a tool
 * that was not listed or has arguments that the listed schema refuses. Where no listing is known, a label of wrong
 * arguments is believed; "not found" alone says nothing, for a world says it of its records.
 */
export function isFormatError(
  tools: readonly ToolSpec[],
  move: Move | null,
  decision: Call['decision'],
  answer: ToolAnswer | null,
): boolean {
  const listed = breaksListing(tools, move);
  if (decision !== null && REPLACES.has(decision.type)) return listed === true;
  if (answer === null || !isToolError(answer.error, answer.reward_type)) return false;
  if (listed !== null) return listed;
  if (answer.reward_type !== 'tool_not_found') return RewardType.formatErrors.has(answer.reward_type ?? '');
  if (move?.type !== 'call_tool' || answer.error === null) return tools.length === 0;
  return namesUnknownTool(truncate(textHead(answer.error)), truncate(move.tool_name));
}

const REPLACES: ReadonlySet<NonNullable<Call['decision']>['type']> = new Set([
  'edited',
  'rejected',
  'answered',
]);

/** True if the call breaks the listing; null if the listing does not tell. */
function breaksListing(tools: readonly ToolSpec[], move: Move | null): boolean | null {
  if (move?.type !== 'call_tool' || tools.length === 0 || isReservedTool(move.tool_name)) return null;
  const tool = tools.find(({ name }) => name === move.tool_name);
  if (tool === undefined) return true;
  if (checkValue(tool.input_schema, move.arguments).length > 0) return true;
  return isRecord(tool.input_schema['properties']) ? false : null;
}

/** True if an error says that there is no tool of this name, and not that something else is missing. */
function namesUnknownTool(error: string, tool: string): boolean {
  const [said, name] = [plainWords(error), plainWords(tool)];
  return [
    `unknown tool${name}`,
    `no such tool${name}`,
    `no tool${name}`,
    `no tool named${name}`,
    `tool${name}not found`,
    `tool${name}was not found`,
    `tool${name}does not exist`,
    `tool${name}is unknown`,
  ].some((words) => said.includes(` ${words.trimEnd()} `));
}

/** Lower case, everything but letters, digits and `_` a single space, and one at each end. */
const plainWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, ' ')
    .trim()} `;
