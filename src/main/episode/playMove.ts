// Carrying out one move: to the environment, to an expert, or back to the agent with the reason why not.
import { kindOf } from '../../shared/environmentKinds.ts';
import type { Call, Turn as RecordedTurn } from '../../shared/episode/record.ts';
import { isUnderWay } from '../../shared/episode/restarts.ts';
import { type Actor, ENVIRONMENT, SYSTEM } from '../../shared/events/actor.ts';
import type { DoubtAct } from '../../shared/events/restarts.ts';
import type { Move } from '../../shared/events/turns.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import { ASK_EXPERT, isToolError } from '../../shared/wire.ts';
import type { CallRefusal, Delivery, Nudge } from '../agent/conversation.ts';
import type { MoveReading } from '../agent/readMove.ts';
import type { StepResult } from '../environments/port.ts';
import type { LogEntry } from '../log/eventLog.ts';
import { waitFor } from '../log/waitFor.ts';
import { compareImages } from '../state/database.ts';
import { confidenceText, decisionOn, type ProposedCall, rejectionsInARow, unsureLimit } from './approval.ts';
import type { ConsultAdvice } from './consult.ts';
import { append, appendSaid, canAsk, type EpisodeStage, messageEvent, recordOf } from './stage.ts';
import { callOf } from '../../shared/episode/calls.ts';

/** The state after a turn: it goes on, the agent is finished, or the environment says it is over. */
export type MoveResult = { type: 'goes_on' } | { type: 'final'; text: string } | { type: 'environment_done' };
export type PlayedTurn = {
  turn: number;
  call: string;
  reading: MoveReading;
  byHuman: boolean;
  author: Actor;
  /** How sure the agent said it is; null or absent where it said nothing. */
  confidence?: number | null;
};

const REJECTIONS_MAX = 3;

const CONTINUE: MoveResult = { type: 'goes_on' };

/**
 * Carries out the move of one turn. Everything that happens is in the log before this returns. What the log has of it
 * already, from before the program was killed, is not done again.
 */
export async function playMove(stage: EpisodeStage, turn: PlayedTurn): Promise<MoveResult> {
  const { move } = turn.reading;
  const refusal = refusalOf(stage, turn);
  if (refusal !== null) {
    const delivery = stage.conversation.refused(turn.reading, refusal, nudges(stage, turn, true));
    const { call } = turn;
    const { toolName, reason } = refusal;
    await deliverToAgent(stage, turn, delivery, {
      kind: 'call.refused',
      call,
      tool_name: toolName,
      reason,
      text: delivery.body.text,
    });
    return CONTINUE;
  }
  switch (move.type) {
    case 'final':
      return { type: 'final', text: stage.log.texts.loadText(move.text) };
    case 'malformed':
      await deliverToAgent(
        stage,
        turn,
        stage.conversation.malformed(turn.reading, move, nudges(stage, turn, true)),
      );
      return CONTINUE;
    case 'list_tools':
      return playListTools(stage, turn);
    case 'call_tool':
      return playCall(stage, turn, move);
    case 'ask_expert':
      await playAsk(stage, turn, move);
      return CONTINUE;
  }
}

/** The record of the turn's move so far. */
const recordedTurn = (stage: EpisodeStage, { turn }: PlayedTurn): RecordedTurn | undefined =>
  recordOf(stage).turns.findLast((one) => one.turn === turn);

const recordedCall = (stage: EpisodeStage, turn: PlayedTurn): Call | null =>
  recordedTurn(stage, turn)?.call ?? null;

/** The reason to refuse the move; null if it is allowed, or something has become of it already. */
function refusalOf(stage: EpisodeStage, turn: PlayedTurn): CallRefusal | null {
  const known = recordedTurn(stage, turn);
  if (known !== undefined && isUnderWay(known)) return null;
  return (
    gateRefusal(turn.reading.move, {
      reservedTools: stage.reservedTools,
      canAsk: canAsk(stage),
      asked: recordOf(stage).counts.consultations,
      limit: stage.spec.limits.consultations,
    }) ?? actionRefusal(stage, turn)
  );
}

/** The reason why an agent's call is no action of its environment; a person may send any. */
function actionRefusal(
  { session, cover }: EpisodeStage,
  { byHuman, reading }: PlayedTurn,
): CallRefusal | null {
  const { move } = reading;
  if (byHuman || move.type !== 'call_tool') return null;
  const fault = session.faultOf(move.tool_name, cover.reveal(move.arguments));
  return fault === null ? null : { toolName: move.tool_name, ...fault };
}

async function playListTools(stage: EpisodeStage, turn: PlayedTurn): Promise<MoveResult> {
  const listed = await stage.session.listTools(stage.signal);
  const delivery = stage.conversation.toolList(turn.reading, listed.tools, nudges(stage, turn, false));
  const event: LogEvent = { kind: 'tools.listed', call: turn.call, ...listed };
  await commitDelivery(stage, turn, delivery, [{ actor: ENVIRONMENT, event }]);
  return CONTINUE;
}

async function playCall(
  stage: EpisodeStage,
  turn: PlayedTurn,
  move: Extract<Move, { type: 'call_tool' }>,
): Promise<MoveResult> {
  if (await asksAdvisor(stage, turn, move)) return CONTINUE;
  // A person who has taken over needs nobody's approval.
  const decision = turn.byHuman ? null : await stage.whileWaiting(decisionOn(stage, turn, move));
  const { conversation, log } = stage;
  switch (decision?.type) {
    case 'rejected': {
      const delivery = conversation.rejected(turn.reading, decision.reason);
      await commitDelivery(stage, turn, delivery, [], stopAfterRejections(stage));
      return CONTINUE;
    }
    case 'answered': {
      const answer = { text: log.texts.loadText(decision.text), isError: decision.isError };
      const reminders = nudges(stage, turn, answer.isError);
      await deliverToAgent(stage, turn, conversation.answered(turn.reading, answer, reminders));
      return CONTINUE;
    }
    case 'cancelled':
      await deliverToAgent(stage, turn, conversation.setAside(turn.reading));
      return CONTINUE;
    case 'expired':
      if (decision.fallback === 'approve') return sendCall(stage, turn, move, null);
      await deliverToAgent(stage, turn, conversation.expired(turn.reading));
      return CONTINUE;
    case 'edited': {
      const { toolName: tool_name, arguments: args, reason } = decision;
      return sendCall(stage, turn, { tool_name, arguments: args }, { reason });
    }
    default:
      return sendCall(stage, turn, move, null);
  }
}

/** Asks the advisor in place of a call that the agent is unsure of; whether it was asked. */
async function asksAdvisor(
  stage: EpisodeStage,
  turn: PlayedTurn,
  move: Extract<Move, { type: 'call_tool' }>,
): Promise<boolean> {
  const limit = unsureLimit(stage, turn);
  const { consultations } = recordOf(stage).counts;
  const known = recordedCall(stage, turn);
  if (limit === null || stage.spec.confidence?.to !== 'advisor' || !canAsk(stage)) return false;
  if (known === null) {
    if (consultations >= stage.spec.limits.consultations) return false;
    append(stage, SYSTEM, {
      kind: 'call.refused',
      call: turn.call,
      tool_name: move.tool_name,
      reason: 'confidence',
      text: confidenceText(limit),
    });
  } else if (known.refused?.reason !== 'confidence') return false;
  const question = `${confidenceText(limit)} that this call is right: ${move.tool_name}(${JSON.stringify(move.arguments)})`;
  await consult(
    stage,
    turn,
    { trigger: 'confidence', answered_by: 'model', task: null, available_tools: null, question },
    (advice) => stage.conversation.unsure(turn.reading, advice, limit),
  );
  return true;
}

async function sendCall(
  stage: EpisodeStage,
  turn: PlayedTurn,
  effective: ProposedCall,
  edited: { reason: string | null } | null,
): Promise<MoveResult> {
  const known = recordedCall(stage, turn);
  const { sent = null, returned = null } = known ?? {};
  const wasInDoubt = isInDoubt(stage, known);
  if (wasInDoubt && (await stage.whileWaiting(settleDoubt(stage, turn))) === 'unknown') {
    const reminders = nudges(stage, turn, true);
    await deliverToAgent(
      stage,
      turn,
      stage.conversation.replyUnknown(turn.reading, UNKNOWN_OUTCOME, reminders),
    );
    return CONTINUE;
  }
  const { stepped, entries } =
    returned === null
      ? await sentCall(stage, turn, effective, sent === null || wasInDoubt)
      : { stepped: loggedStep(stage, returned), entries: [] };
  if (stepped.done) {
    await appendSaid(stage, entries);
    return { type: 'environment_done' };
  }
  const isError = isToolError(stepped.error, stepped.reward_type);
  const reminders = nudges(stage, turn, isError);
  const delivery =
    edited === null
      ? stage.conversation.toolResponse(turn.reading, stepped, reminders)
      : stage.conversation.editedResponse(
          turn.reading,
          stepped,
          { ...effective, reason: edited.reason },
          reminders,
        );
  await commitDelivery(stage, turn, delivery, entries);
  return CONTINUE;
}

/** The agent's reading of a step, and its meaning for the episode. */
type ReadStep = Pick<StepResult, 'text' | 'error' | 'done' | 'reward_type'>;

/** Makes the call; what came back of it is committed with what the agent reads of it. */
async function sentCall(
  stage: EpisodeStage,
  { call, author }: PlayedTurn,
  { tool_name, arguments: args }: ProposedCall,
  isNew: boolean,
): Promise<{ stepped: ReadStep; entries: LogEntry[] }> {
  if (isNew)
    await appendSaid(stage, [
      { actor: author, event: { kind: 'call.sent', call, tool_name, arguments: args } },
    ]);
  const before = stage.image();
  const stepped = await stage.session.callTool(tool_name, stage.cover.reveal(args), stage.signal);
  const after = stage.image();
  const returned: LogEvent = { kind: 'call.returned', call, ...stepped };
  const events: LogEvent[] =
    before === null || after === null
      ? [returned]
      : [returned, { kind: 'state.compared', call, changes: compareImages(before, after) }];
  return { stepped, entries: events.map((event) => ({ actor: ENVIRONMENT, event })) };
}

/** The result before the program was killed, which the agent had not read yet. */
const loggedStep = (
  { log }: EpisodeStage,
  { text, error, done, reward_type }: NonNullable<Call['returned']>,
): ReadStep => ({
  text: text === null ? null : log.texts.loadText(text),
  error: error === null ? null : log.texts.loadText(error),
  done,
  reward_type,
});

/** An agent that is rejected again and again is stuck: the person is asked what to do, instead of once more. */
function stopAfterRejections(stage: EpisodeStage): LogEntry[] {
  const record = recordOf(stage);
  if (rejectionsInARow(record) < REJECTIONS_MAX) return [];
  const event: LogEvent = {
    kind: 'phase.changed',
    from: record.phase,
    to: 'paused',
    cause: 'rejections',
    reason: `${String(REJECTIONS_MAX)} calls in a row were rejected`,
    at_once: false,
  };
  return [{ actor: SYSTEM, event }];
}

/** The person's way in: the ask never goes to the environment. */
async function playAsk(
  stage: EpisodeStage,
  turn: PlayedTurn,
  move: Extract<Move, { type: 'ask_expert' }>,
): Promise<void> {
  const { spec, conversation } = stage;
  const { expert } = move.arguments;
  await consult(
    stage,
    turn,
    {
      trigger: 'agent_call',
      task: move.task,
      available_tools: move.available_tools,
      question: move.context,
      answered_by: spec.condition === 'model' ? 'model' : 'human',
      wanted: typeof expert === 'string' && expert.trim() !== '' ? expert : null,
    },
    (advice) => conversation.advice(turn.reading, advice, []),
  );
}

type Question = Pick<
  EventOf<'consultation.asked'>,
  'trigger' | 'task' | 'available_tools' | 'question' | 'answered_by'
> & {
  /** Whom the agent named; null or absent where it named nobody. */
  wanted?: string | null;
};

/** One consultation in answer to a turn, from asked to delivered. */
async function consult(
  stage: EpisodeStage,
  turn: PlayedTurn,
  { wanted = null, ...question }: Question,
  deliveryOf: (advice: ConsultAdvice) => Delivery,
): Promise<void> {
  const { spec, conversation } = stage;
  const known = recordOf(stage).consultations.findLast((one) => one.turn === turn.turn && one.via === 'loop');
  const consultation = known?.id ?? `${stage.id}:c${String(recordOf(stage).counts.consultations + 1)}`;
  const gate = {
    admission: spec.admission,
    seed: `${String(spec.seed)}:${spec.scenario ?? ''}:${String(spec.task_idx)}`,
    wanted,
    isUnanswered: spec.lift !== undefined,
  };
  const asked: EventOf<'consultation.asked'> = {
    kind: 'consultation.asked',
    consultation,
    turn: turn.turn,
    call: turn.call,
    ...question,
    deadline_at: spec.deadline_ms === null ? null : stage.clock() + spec.deadline_ms,
    fallback: spec.fallback,
    via: 'loop',
    request: null,
    link: null,
  };
  const advice = await stage.whileWaiting(
    known === undefined
      ? stage.consult.ask(stage.id, asked, gate, stage.signal)
      : stage.consult.resume(stage.id, consultation, gate, stage.signal),
  );
  stage.signal.throwIfAborted();
  if (advice.isSetAside) return deliverToAgent(stage, turn, conversation.setAside(turn.reading));
  const delivery = deliveryOf(advice);
  await deliverToAgent(stage, turn, delivery, {
    kind: 'advice.delivered',
    consultation,
    as: advice.as,
    text: delivery.body.text,
    full_length: delivery.body.full_length,
    delivered_length: delivery.body.deliveredLength,
    privilege: advice.privilege,
    to: 'agent',
  });
}

/** The message and the fact it stands for, committed together. */
function deliverToAgent(
  stage: EpisodeStage,
  turn: PlayedTurn,
  delivery: Delivery,
  fact?: LogEvent,
): Promise<void> {
  return commitDelivery(stage, turn, delivery, fact === undefined ? [] : [{ actor: SYSTEM, event: fact }]);
}

/** A message with what led to it and what follows from it, in one transaction: nothing can come between them. */
function commitDelivery(
  stage: EpisodeStage,
  { turn }: PlayedTurn,
  delivery: Delivery,
  before: readonly LogEntry[],
  after: readonly LogEntry[] = [],
): Promise<void> {
  const message: LogEntry = { actor: SYSTEM, event: messageEvent(delivery, turn) };
  return appendSaid(stage, [...before, message, ...after]);
}

/** Reminders that the expert is there, only while it is and asks are left. */
function nudges(stage: EpisodeStage, { turn }: PlayedTurn, isError: boolean): Nudge[] {
  const { counts, consultations } = recordOf(stage);
  const { limits } = stage.spec;
  if (!canAsk(stage) || counts.consultations >= limits.consultations) return [];
  const sinceAsk = turn - (consultations.at(-1)?.turn ?? 0);
  const isStalled = sinceAsk > 0 && sinceAsk % limits.stall_steps === 0;
  return [...(isError ? (['error'] as const) : []), ...(isStalled ? (['stall'] as const) : [])];
}

/**
 * The reason why a move may not go on, or null. Reserved tools belong to the host: an agent that could call them would
 * read its reward while it acts.
 */
function gateRefusal(
  move: Move,
  budget: { reservedTools: ReadonlySet<string>; canAsk: boolean; asked: number; limit: number },
): { reason: 'reserved' | 'budget' | 'condition'; toolName: string } | null {
  if (move.type === 'call_tool' && budget.reservedTools.has(move.tool_name)) {
    return { reason: 'reserved', toolName: move.tool_name };
  }
  if (move.type !== 'ask_expert') return null;
  if (!budget.canAsk) return { reason: 'condition', toolName: ASK_EXPERT };
  return budget.asked >= budget.limit ? { reason: 'budget', toolName: ASK_EXPERT } : null;
}

/** The agent's reading in place of the result, if a person does not send the call again. */
const UNKNOWN_OUTCOME =
  'It is not known whether this call was carried out: the program ended after it had been sent, before its result came. It was not sent again.';

/** A built-in world died with the program, and the new one never saw the call. */
export const isInDoubt = (
  { spec }: { spec: Pick<EpisodeStage['spec'], 'environment'> },
  call: Pick<Call, 'sent' | 'returned'> | null,
): boolean =>
  call !== null && call.sent !== null && call.returned === null && !kindOf(spec.environment).isPartOfProduct;

/** Waits for a person's word on a call in doubt. What was said before another restart still holds. */
function settleDoubt(stage: EpisodeStage, { call, turn }: { call: string; turn: number }): Promise<DoubtAct> {
  const known = callOf(recordOf(stage), call)?.doubt;
  if (known === undefined || known.isSentAgain) append(stage, SYSTEM, { kind: 'call.doubted', call, turn });
  return waitFor(
    stage.log,
    stage.id,
    (record) => callOf(record, call)?.doubt?.settled?.act ?? null,
    stage.signal,
  );
}
