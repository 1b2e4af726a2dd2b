// Getting one turn: from the agent's policy, or from the log where a person who took over has written it.
import {
  isAtSeat,
  type Actor,
  AGENT,
  type Privilege,
  SYSTEM,
  type Timing,
} from '../../shared/events/actor.ts';
import type { EpisodeRecord, Turn as RecordedTurn } from '../../shared/episode/record.ts';
import type { NativeCall } from '../../shared/events/turns.ts';
import { readConfidence } from '../agent/readConfidence.ts';
import { type MoveReading, readMove } from '../agent/readMove.ts';
import { toChat } from '../agent/toChat.ts';
import type { LlmReply } from '../llm/port.ts';
import { type RetryEdges, withRetries } from '../llm/retry.ts';
import type { PlayedTurn } from './playMove.ts';
import { append, appendSaid, canAsk, recordOf, type EpisodeStage } from './stage.ts';

/** The agent's next turn, committed; null when a person paused or took over while it was being written. */
export async function takeTurn(stage: EpisodeStage, turn: number): Promise<PlayedTurn | null> {
  const open = openCall(recordOf(stage));
  if (open !== null) return commitOpenCall(stage, turn, open);
  const startedAt = performance.now();
  const given = new AbortController();
  const unlisten = stage.log.subscribe(({ event }) => {
    if (event.kind !== 'phase.changed') return;
    if (event.to === 'correcting' || (event.to === 'paused' && event.at_once)) given.abort();
  }, stage.id);
  try {
    const reply = await requestTurn(stage, turn, AbortSignal.any([stage.signal, given.signal]));
    if (given.signal.aborted) return giveUp(stage, turn);
    return await commitTurn(stage, turn, reply, performance.now() - startedAt);
  } catch (thrown) {
    if (given.signal.aborted && !stage.signal.aborted) return giveUp(stage, turn);
    throw thrown;
  } finally {
    unlisten();
  }
}

function giveUp(stage: EpisodeStage, turn: number): null {
  const message = 'the reply was given up because a person stepped in';
  append(stage, SYSTEM, { kind: 'model.failed', turn, code: 'cancelled', message, retry_in_ms: null });
  return null;
}

function requestTurn(stage: EpisodeStage, turn: number, signal: AbortSignal): Promise<LlmReply> {
  const record = recordOf(stage);
  const { protocol } = stage.spec.agent;
  const asksLeft = stage.spec.limits.consultations - record.counts.consultations;
  const request = {
    messages: stage.cover.reveal(toChat(record, protocol, (text) => stage.log.texts.loadText(text))),
    tools: stage.conversation.offered(record.tools),
    protocol,
    canAsk: canAsk(stage) && asksLeft > 0,
  };
  const failed: RetryEdges['failed'] = ({ code, message }, retryInMs) =>
    append(stage, SYSTEM, { kind: 'model.failed', turn, code, message, retry_in_ms: retryInMs });
  return withRetries(() => stage.policy.next(request, signal), { ...stage.retry, failed }, signal);
}

async function commitTurn(
  stage: EpisodeStage,
  turn: number,
  reply: LlmReply,
  latency_ms: number,
): Promise<PlayedTurn> {
  const { reading, confidence } = readStated(stage, reply);
  const author: Actor = reply.model === null ? AGENT : { type: 'agent', id: reply.model };
  const entries = turnEntries(turn, author, reply, reading, latency_ms, undefined, confidence);
  await appendSaid(stage, entries);
  return { turn, call: callIdOfTurn(turn), reading, byHuman: false, author, confidence };
}

/** The move of a reply, and how sure the agent said it is. */
function readStated(
  stage: EpisodeStage,
  reply: LlmReply,
): { reading: MoveReading; confidence: number | null } {
  const stated = stage.spec.confidence ? readConfidence(reply, recordOf(stage).tools) : null;
  const read = readReply(stage, stated?.reply ?? reply);
  return {
    reading: { ...read, repairs: [...read.repairs, ...(stated?.repairs ?? [])] },
    confidence: stated?.confidence ?? null,
  };
}

/** The move a turn begins with. The further native calls of a reply are turns of their own; of calls in the text the first is made. */
function readReply({ spec: { agent }, ...stage }: EpisodeStage, reply: LlmReply): MoveReading {
  const reading = readMove(reply, { protocol: agent.protocol, tools: stage.log.record(stage.id).tools });
  return agent.protocol === 'native' && reply.toolCalls.length > 1
    ? { ...reading, ignoredCalls: 0 }
    : reading;
}

/**
 * The next call of the newest reply, where one is left. A person's move, and a branch, leave the rest of a reply behind.
 */
export function openCall({ forked, turns }: EpisodeRecord): { reply: RecordedTurn; call: NativeCall } | null {
  const last = turns.at(-1);
  if (last === undefined) return null;
  if (isAtSeat(last.actor) || (last.isCopied && forked?.why === 'fork')) return null;
  const first = last.replyOf ?? last.turn;
  const reply = turns.findLast(({ turn }) => turn === first);
  const made = turns.filter(({ turn, replyOf }) => turn === first || replyOf === first).length;
  const call = reply?.toolCalls[made];
  return reply === undefined || call === undefined || reply.ignoredCalls > 0 ? null : { reply, call };
}

/** A further call of a reply as a turn of its own: nothing is asked of the model. */
function commitOpenCall(
  stage: EpisodeStage,
  turn: number,
  {
    reply: { turn: reply_of, actor: author, model, stopReason },
    call,
  }: NonNullable<ReturnType<typeof openCall>>,
): PlayedTurn {
  const { protocol } = stage.spec.agent;
  const reply: LlmReply = { content: '', reasoning: null, toolCalls: [call], model, stopReason, usage: null };
  const reading = readMove(reply, { protocol, tools: recordOf(stage).tools });
  stage.log.appendAll(stage.id, turnEntries(turn, author, reply, reading, null, { reply_of }));
  return { turn, call: callIdOfTurn(turn), reading, byHuman: false, author };
}

const callIdOfTurn = (turn: number): string => `t${String(turn)}`;

/** The two events of a turn: what was written, and what it asks for. */
export const turnEntries = (
  turn: number,
  actor: Actor,
  reply: LlmReply,
  reading: MoveReading,
  latency_ms: number | null,
  more?: { timing: Timing; privilege: Privilege } | { reply_of: number },
  confidence: number | null = null,
) => [
  {
    actor,
    event: {
      kind: 'turn.generated' as const,
      turn,
      content: reply.content,
      reasoning: reply.reasoning,
      ...(reply.thought && { thought: reply.thought }),
      ...(reply.reasoningDetails !== undefined && { reasoning_details: reply.reasoningDetails }),
      ...(reply.recalled !== undefined && { recalled: reply.recalled }),
      tool_calls: reply.toolCalls,
      model: reply.model,
      stop_reason: reply.stopReason,
      usage: reply.usage,
      latency_ms,
      ...more,
    },
  },
  {
    actor,
    event: {
      kind: 'move.proposed' as const,
      turn,
      call: callIdOfTurn(turn),
      move: reading.move,
      repairs: reading.repairs,
      ignored_calls: reading.ignoredCalls,
      ...(confidence === null ? {} : { confidence }),
    },
  },
];

/** A person's turn as it stands in the log, read as an agent's would be. */
export function readTurn(stage: EpisodeStage, recorded: RecordedTurn): PlayedTurn {
  const { turn, actor } = recorded;
  const reading = readMove(
    { ...replyOf(stage, recorded), model: null, stopReason: null, usage: null },
    { protocol: stage.spec.agent.protocol, tools: recordOf(stage).tools },
  );
  return { turn, call: callIdOfTurn(turn), reading, byHuman: true, author: actor };
}

/** A turn that was not carried out to its end before the program was killed. */
export function turnAgain(stage: EpisodeStage, recorded: RecordedTurn): PlayedTurn {
  const { turn, actor, replyOf: first } = recorded;
  if (isAtSeat(actor)) return readTurn(stage, recorded);
  const reply = replyOf(stage, recorded);
  const { protocol } = stage.spec.agent;
  const { reading, confidence } =
    first === undefined
      ? readStated(stage, reply)
      : { reading: readMove(reply, { protocol, tools: recordOf(stage).tools }), confidence: null };
  return { turn, call: callIdOfTurn(turn), reading, byHuman: false, author: actor, confidence };
}

function replyOf(
  { log }: EpisodeStage,
  { content, reasoning, toolCalls, model, stopReason, usage }: RecordedTurn,
): LlmReply {
  return {
    content: log.texts.loadText(content),
    reasoning: reasoning === null ? null : log.texts.loadText(reasoning),
    toolCalls,
    model,
    stopReason,
    usage,
  };
}
