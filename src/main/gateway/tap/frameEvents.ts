// Reads a recorded frame and turns it into events: a request by itself, an answer by what was asked, an act of the tap
// by the decision that is in the log before it. Pure.
import type { Call, CallDecision, EpisodeRecord } from '../../../shared/episode/record.ts';
import { type Actor, ENVIRONMENT, SYSTEM, UNKNOWN, AGENT } from '../../../shared/events/actor.ts';
import type { Touch } from '../../../shared/events/gateway.ts';
import { type Json, ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import type { LogEvent } from '../../../shared/events/vocabulary.ts';
import { isRecord, parseJson, wholeOr } from '../../../shared/json.ts';
import { redactJson } from '../../../shared/redact/redact.ts';
import type { Observation } from '../../../shared/wireFrames.ts';
import { firstTask, sumRewards } from '../../environments/actions.ts';
import { type ActionSpace, callOfAction } from '../../openenv/actionSpace.ts';
import { refusalText } from '../../openenv/failures.ts';
import { observationText } from '../../openenv/observationText.ts';
import type { ServerDescription } from '../../openenv/serverDescription.ts';
import { errorText, resultLabel, resultText } from '../../openenv/session.ts';
import type { EndedPlay, TapAction } from './linkProtocol.ts';
import { callOf, turnOfCall } from '../../../shared/episode/calls.ts';

export type Pending = { asked: FrameRequest; turn: number; call: string; at: number; text: string };

/** State of an episode under way, beyond its record. */
export type OpenEpisodeState = {
  id: string;
  /** The last turn there is, a person's own included. */
  turn: number;
  pending: Map<number, Pending>;
  /** Requests that wait for a word of main, with their call. */
  asks: Map<number, string>;
  /** Held calls of which the tap has not said what became of them. */
  unsettled: Set<string>;
  /** How it stands when it ends now. */
  verdict: { reward_type: string | null; reward: number | null; final_answer: string | null } | null;
  isDone: boolean;
  /** What its environment says of itself. */
  server: ServerDescription;
  /** The rewards of its steps, where its environment has actions and no verifier. */
  rewards: number[];
};

type ReplyContext = {
  /** The tap's own words, not the environment's. */
  isLocal: boolean;
  at: number;
  /** Set for a listing that a person asked for. */
  ownCall?: string;
};

type ObservationReply = Extract<FrameReply, { type: 'observation' }>;

export function replyEvents(
  under: OpenEpisodeState,
  pending: Pending,
  text: string,
  how: ReplyContext,
): NewEvent[] {
  if (how.isLocal) return [eventBy(SYSTEM, { kind: 'frame.passed', direction: 'to_client', frame: text })];
  const said = readReply(text);
  const { asked } = pending;
  const latency = Math.max(0, how.at - pending.at);
  if (asked.type === 'call') return [callReturned(under, pending, said, text, latency)];
  if (asked.type === 'other') return [framePassed('to_client', text)];
  // Something else than an observation came: both frames are kept as they were.
  if (said.type !== 'observation')
    return [
      ...(pending.text === '' ? [] : [framePassed('to_environment', pending.text)]),
      framePassed('to_client', text),
    ];
  switch (asked.type) {
    case 'reset':
      return resetEvents(under, asked, said, text, latency);
    case 'list': {
      const call = how.ownCall ?? null;
      const tools = observedTools(said.observation);
      return [eventBy(ENVIRONMENT, { kind: 'tools.listed', call, tools, frame: text, latency_ms: latency })];
    }
    case 'verify':
      return [verifierRan(under, asked, said, text, latency)];
    case 'done':
      return [finished(under, said, text, latency)];
    default:
      asked satisfies never;
      return [];
  }
}

/** Texts of an answer; a server that nests without end is kept as its frame alone. */
function observationTexts(
  { observation }: ObservationReply,
  hasActions: boolean,
): {
  text: string | null;
  error: string | null;
  label: string | null;
} {
  try {
    return {
      text: hasActions ? observationText(observation) : resultText(observation),
      error: errorText(observation),
      label: resultLabel(observation),
    };
  } catch {
    return { text: null, error: null, label: null };
  }
}

function callReturned(
  under: OpenEpisodeState,
  { call }: Pending,
  said: FrameReply,
  text: string,
  latency: number,
): NewEvent {
  const observed = said.type === 'observation' ? said : null;
  const hasActions = under.server.actions !== null;
  const texts = observed === null ? null : observationTexts(observed, hasActions);
  if (hasActions && typeof observed?.reward === 'number') under.rewards.push(observed.reward);
  if (observed?.done === true) {
    under.isDone = true;
    const reward = hasActions ? sumRewards(under.rewards) : observed.reward;
    under.verdict ??= { reward_type: texts?.label ?? null, reward, final_answer: null };
  }
  return eventBy(ENVIRONMENT, {
    kind: 'call.returned',
    call,
    frame: text,
    reward_type: texts?.label ?? null,
    reward: observed?.reward ?? null,
    done: observed?.done ?? false,
    text: texts?.text ?? null,
    error: said.type === 'error' ? (hasActions ? said.refusal : said.text) : (texts?.error ?? null),
    latency_ms: latency,
  });
}

function resetEvents(
  { server }: OpenEpisodeState,
  { request }: Extract<FrameRequest, { type: 'reset' }>,
  { observation, reward, done }: ObservationReply,
  text: string,
  latency: number,
): NewEvent[] {
  const { actions, about, schema } = server;
  const reset = eventBy(ENVIRONMENT, {
    kind: 'environment.reset',
    request,
    frame: text,
    reward_type: textOr(observation.reward_type),
    reward,
    done,
    scenario: textOr(observation.scenario) ?? textOr(request['scenario']),
    task:
      actions === null
        ? (textOr(observation.task) ?? textOr(request['task']))
        : firstTask(about, observation),
    task_idx: wholeOr(observation.task_idx) ?? wholeOr(request['task_idx']),
    num_tools: actions?.types.length ?? wholeOr(observation.num_tools),
    warning: textOr(observation.warning),
    latency_ms: latency,
  });
  if (actions === null) return [reset];
  const tools = actions.types.map(({ tool }) => tool);
  return [
    reset,
    eventBy(ENVIRONMENT, { kind: 'tools.listed', call: null, tools, frame: schema, latency_ms: 0 }),
  ];
}

/** The wire does not show if an agent or its orchestrator asked. */
function verifierRan(
  under: OpenEpisodeState,
  { mode, final_answer }: Extract<FrameRequest, { type: 'verify' }>,
  said: ObservationReply,
  text: string,
  latency: number,
): NewEvent {
  const { label, error } = observationTexts(said, false);
  under.verdict = { reward_type: label, reward: said.reward, final_answer };
  under.isDone = true;
  return eventBy(UNKNOWN, {
    kind: 'verifier.ran',
    verifier_mode: mode,
    final_answer,
    frame: text,
    reward_type: label,
    reward: said.reward,
    verify_result: (said.observation.verify_result ?? null) as Json,
    error,
    latency_ms: latency,
  });
}

function finished(under: OpenEpisodeState, said: ObservationReply, text: string, latency: number): NewEvent {
  under.isDone = true;
  return eventBy(UNKNOWN, {
    kind: 'environment.finished',
    frame: text,
    reward_type: observationTexts(said, false).label,
    steps_taken: wholeOr(said.observation.steps_taken),
    latency_ms: latency,
  });
}

// A recorded frame: a reset, a call, a listing, the host's own tools, or none of these.
export type FrameRequest =
  | { type: 'reset'; request: Record<string, Json> }
  | { type: 'list' }
  | { type: 'call'; tool: string; arguments: JsonObject }
  | { type: 'verify'; mode: string; final_answer: string | null }
  | { type: 'done' }
  | { type: 'other' };

/** Deeper frames are kept as they are: no schema could walk through them. */
const NESTED_MAX = 200;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

/** A number of such an exponent may be larger than any that is kept as a number. */
const HUGE = /\d[eE]\+?\d{3}/;

/** Keeps an infinite number as text. */
const parseReply = (text: string): unknown =>
  JSON.parse(
    text,
    HUGE.test(text)
      ? (_key, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value)
      : undefined,
  );

function parseJsonObject(text: string, parse: (text: string) => unknown): Record<string, unknown> | null {
  try {
    const value = parse(text);
    return isRecord(value) && !isDeeper(value, NESTED_MAX) ? value : null;
  } catch {
    return null;
  }
}

/**
 * A client's frame, or the body of its JSON-RPC request. `actions`: those of an environment without tools, of which each
 * is a call.
 */
export function readRequest(text: string, actions: ActionSpace | null = null): FrameRequest {
  const value = parseJsonObject(text, parseJson);
  if (value === null) return { type: 'other' };
  if (value['jsonrpc'] !== undefined) return readRpcRequest(value);
  const data = isRecord(value['data']) ? value['data'] : {};
  if (value['type'] === 'reset') return { type: 'reset', request: redactJson(data) as Record<string, Json> };
  if (value['type'] !== 'step') return { type: 'other' };
  if (actions !== null) {
    const call = callOfAction(actions, data as JsonObject);
    return call === null
      ? { type: 'other' }
      : { type: 'call', tool: call.tool_name, arguments: call.arguments };
  }
  if (data['type'] === 'list_tools') return { type: 'list' };
  return readCall(data['tool_name'], data['arguments']);
}

function readRpcRequest({ method, params }: Record<string, unknown>): FrameRequest {
  if (method === 'tools/list') return { type: 'list' };
  if (method !== 'tools/call' || !isRecord(params)) return { type: 'other' };
  return readCall(params['name'], params['arguments']);
}

function readCall(tool: unknown, given: unknown): FrameRequest {
  const args = given === undefined ? {} : given;
  if (typeof tool !== 'string' || !isRecord(args)) return { type: 'other' };
  if (tool === '__list_scenarios__') return { type: 'other' };
  if (tool === 'done') return { type: 'done' };
  if (tool !== 'verify') return { type: 'call', tool, arguments: args as JsonObject };
  const { verifier_mode: mode, final_answer: answer } = args;
  return {
    type: 'verify',
    mode: typeof mode === 'string' ? mode : 'code',
    final_answer: typeof answer === 'string' ? answer : null,
  };
}

type FrameReply =
  | { type: 'observation'; observation: Observation; reward: number | null; done: boolean }
  /** `refusal`: the environment's words without their code, with what it says of each field. */
  | { type: 'error'; text: string; refusal: string }
  | { type: 'other' };

/** An environment's answer, over the socket or in JSON-RPC. */
function readReply(text: string): FrameReply {
  const value = parseJsonObject(text, parseReply);
  if (value === null) return { type: 'other' };
  if (value['jsonrpc'] !== undefined) return readRpcReply(value);
  const data = isRecord(value['data']) ? value['data'] : {};
  if (value['type'] === 'error') {
    const text = `${stringOrEmpty(data['code'])}: ${stringOrEmpty(data['message'])}`;
    return { type: 'error', text, refusal: refusalText(data) };
  }
  if (value['type'] !== 'observation' || !isRecord(data['observation'])) return { type: 'other' };
  return observationReply(data['observation'], data);
}

function readRpcReply({ result, error }: Record<string, unknown>): FrameReply {
  if (isRecord(error)) {
    const text = stringOrEmpty(error['message']);
    return { type: 'error', text, refusal: text };
  }
  return isRecord(result) ? observationReply(result, result) : { type: 'other' };
}

const observationReply = (
  observation: Record<string, unknown>,
  { reward, done }: Record<string, unknown>,
): FrameReply => ({
  type: 'observation',
  observation: observation as Observation,
  reward: typeof reward === 'boolean' ? Number(reward) : typeof reward === 'number' ? reward : null,
  done: done === true,
});

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Text or null, and nothing else, of a field that any server may fill with anything. */
const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const observedTools = ({ tools }: Observation): ToolSpec[] =>
  (Array.isArray(tools) ? (tools as unknown[]) : []).flatMap((tool) => {
    const withSchema =
      isRecord(tool) && isRecord(tool['inputSchema']) ? { input_schema: tool['inputSchema'], ...tool } : tool;
    return ToolSpec.safeParse(withSchema).data ?? [];
  });

export const callId = (turn: number): string => `t${String(turn)}`;

export type NewEvent = { actor: Actor; event: LogEvent };
export const eventBy = (actor: Actor, event: LogEvent): NewEvent => ({ actor, event });

export const framePassed = (direction: 'to_environment' | 'to_client', text: string): NewEvent =>
  eventBy(direction === 'to_client' ? ENVIRONMENT : UNKNOWN, {
    kind: 'frame.passed',
    direction,
    frame: text,
  });

// The tap's act on a held request: the decision is in the log before, this adds what took effect.

export function tapActionEvents(
  record: EpisodeRecord,
  under: OpenEpisodeState,
  ref: number,
  action: TapAction,
): NewEvent[] {
  const pending = under.pending.get(ref);
  const call = under.asks.get(ref) ?? pending?.call ?? `t${String(under.turn)}`;
  const turn = pending?.turn ?? turnOfCall(record, call)?.turn ?? under.turn;
  under.asks.delete(ref);
  switch (action.did) {
    case 'refused':
      return [
        eventBy(SYSTEM, {
          kind: 'call.refused',
          call,
          tool_name: action.tool,
          reason: 'reserved',
          text: action.text,
        }),
      ];
    case 'noted':
      return [
        ...action.notes.map((note) => eventBy(SYSTEM, { kind: 'note.delivered', note, turn })),
        ...(action.in_result ? [touched(turn, 'note_in_result')] : []),
      ];
    case 'own_failed':
      return [ownFailed(action)];
    case 'left': {
      under.pending.delete(ref);
      const left = callOf(record, call);
      return left === null ? [] : voidedEvents(under, left, { by: 'client', reason: '' });
    }
    default:
      under.unsettled.delete(call);
      return heldEvents({ record, under, ref, call, turn }, action);
  }
}

type ActionContext = {
  record: EpisodeRecord;
  under: OpenEpisodeState;
  ref: number;
  call: string;
  turn: number;
};

/**
 * A held call whose client or environment is gone. One that was decided meanwhile is voided too, where the tap did not hear
 * of it any more: the log says then that the decision took no effect.
 */
export function voidedEvents(
  { asks, unsettled }: OpenEpisodeState,
  { id, held, decision }: Call,
  { by: who, reason }: Pick<EndedPlay, 'by' | 'reason'>,
): NewEvent[] {
  const isOpen =
    decision === null
      ? held !== null || [...asks.values()].includes(id)
      : unsettled.has(id) && acts(decision);
  unsettled.delete(id);
  if (!isOpen) return [];
  const left = `the client left before ${decision === null ? 'anybody decided' : 'the decision reached it'}`;
  const why =
    who === 'environment' ? 'the environment closed the connection' : who === 'client' ? left : reason;
  return [eventBy(SYSTEM, { kind: 'call.cancelled', call: id, reason: why })];
}

/** True if it says more than that the call was not made. */
const acts = (decision: CallDecision): boolean =>
  decision.type === 'expired' ? decision.fallback === 'approve' : decision.type !== 'cancelled';

function heldEvents(
  { record, under, ref, call, turn }: ActionContext,
  action: Extract<TapAction, { by: 'person' | 'deadline' }>,
): NewEvent[] {
  const decision = callOf(record, call)?.decision ?? null;
  // What was decided while the limit passed did not reach the tap: what the tap did stands.
  const expired =
    action.by === 'deadline' && decision?.type !== 'expired'
      ? [
          eventBy(SYSTEM, {
            kind: 'call.expired',
            call,
            fallback: action.did === 'passed' ? 'approve' : 'reject',
          }),
        ]
      : [];
  switch (action.did) {
    case 'passed': {
      const asked = under.pending.get(ref)?.asked;
      const sent =
        asked?.type === 'call'
          ? { tool_name: asked.tool, arguments: asked.arguments }
          : proposedOf(record, call);
      return [...expired, eventBy(AGENT, { kind: 'call.sent', call, ...sent })];
    }
    case 'edited': {
      if (decision?.type !== 'edited') return [];
      const { actor, toolName: tool_name, arguments: args } = decision;
      return [
        eventBy(actor, { kind: 'call.sent', call, tool_name, arguments: args }),
        touched(turn, 'edited'),
      ];
    }
    case 'expired':
      return [...expired, touched(turn, 'expired')];
    case 'answered':
    case 'rejected':
      // Its client reads a refusal in any case; the log says that the person acted instead.
      return [touched(turn, decision?.type === 'cancelled' ? 'set_aside' : action.did)];
    case 'discarded': {
      const type = decision?.type ?? null;
      if (type === 'cancelled') return [touched(turn, 'set_aside')];
      const isChanged = type === 'edited' || type === 'answered' || type === 'rejected';
      return [touched(turn, isChanged ? type : 'stopped')];
    }
  }
}

const touched = (turn: number, touch: Touch): NewEvent =>
  eventBy(SYSTEM, { kind: 'turn.touched', turn, touch });

function proposedOf(record: EpisodeRecord, call: string) {
  const move = turnOfCall(record, call)?.move ?? null;
  return move?.type === 'call_tool'
    ? { tool_name: move.tool_name, arguments: move.arguments }
    : { tool_name: '', arguments: {} };
}

const ownFailed = ({ id, reason }: Extract<TapAction, { did: 'own_failed' }>): NewEvent =>
  eventBy(SYSTEM, {
    kind: 'call.returned',
    call: id,
    frame: '',
    reward_type: null,
    reward: null,
    done: false,
    text: null,
    error: reason,
    latency_ms: null,
  });
