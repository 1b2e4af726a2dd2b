// Reads from the events of an Inspect sample what its conversation lacks: times, tokens, failed calls, approvals.
import { seatActor } from '../../../shared/events/actor.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { KnownCallResult, KnownTurn } from './conversation.ts';
import type { ImportNotes } from './importNotes.ts';
import type { ImportedDecision } from './episodeBuilder.ts';
import {
  toolSpecs,
  asObject,
  listFrom,
  numberFrom,
  ownValue,
  textFrom,
  timeFrom,
  poolRange,
  recordFrom,
  textFromAny,
  type JsonRecord,
} from './values.ts';

export type SampleEvents = {
  turn(messageId: string | null): KnownTurn;
  result(callId: string | null): KnownCallResult;
  tools: ToolSpec[];
  firstAt: number | null;
  lastAt: number | null;
  scoredAt: number | null;
};

/** Kinds that are read; others stay in the kept file. */
const READ_EVENT_KINDS: ReadonlySet<string> = new Set(
  'model tool approval score score_edit sample_init sample_limit span_begin span_end step state store info logger error sandbox subtask anchor checkpoint'.split(
    ' ',
  ),
);

export function sampleEvents(events: readonly unknown[], notes: ImportNotes): SampleEvents {
  const turns = new Map<string, KnownTurn>();
  const results = new Map<string, KnownCallResult>();
  const decisions = new Map<string, ImportedDecision[]>();
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  let scoredAt: number | null = null;
  for (const event of events) {
    const at = timeFrom(ownValue(event, 'timestamp'));
    firstAt ??= at;
    lastAt = at ?? lastAt;
    const kind = textFrom(ownValue(event, 'event')) ?? '';
    if (kind === 'model') addTurn(turns, event, at, notes);
    else if (kind === 'tool') addResult(results, event, at);
    else if (kind === 'approval') addDecision(decisions, event, at);
    else if (kind === 'score') scoredAt ??= at;
    else if (!READ_EVENT_KINDS.has(kind))
      notes.note('events_kept', `events of the kind ${kind.slice(0, 40)} are in the kept file only`);
  }
  return {
    turn: (id) => (id === null ? {} : (turns.get(id) ?? {})),
    result: (id) => {
      if (id === null) return {};
      const decided = decisions.get(id);
      return { ...results.get(id), ...(decided === undefined ? {} : { decided }) };
    },
    tools: offered(events),
    firstAt,
    lastAt,
    scoredAt,
  };
}

/** The tools of the first request that had some. */
function offered(events: readonly unknown[]): ToolSpec[] {
  for (const event of events) {
    const tools = toolSpecs(ownValue(event, 'tools'));
    if (tools.length > 0) return tools;
  }
  return [];
}

function addTurn(turns: Map<string, KnownTurn>, event: unknown, at: number | null, notes: ImportNotes): void {
  const output = ownValue(event, 'output');
  const choice = listFrom(ownValue(output, 'choices'))[0];
  const id = textFrom(ownValue(ownValue(choice, 'message'), 'id'));
  const error = textFrom(ownValue(event, 'error'));
  if (error !== null) notes.note('model_error', `a request to the model failed: ${error.slice(0, 120)}`);
  if (id === null) return;
  const usage = ownValue(output, 'usage');
  const [input, given] = [
    numberFrom(ownValue(usage, 'input_tokens')),
    numberFrom(ownValue(usage, 'output_tokens')),
  ];
  const seconds = numberFrom(ownValue(output, 'time'));
  turns.set(id, {
    at,
    latency_ms: seconds === null ? null : Math.round(seconds * 1000),
    stopReason: textFrom(ownValue(choice, 'stop_reason')),
    model: textFrom(ownValue(output, 'model')),
    usage: input === null && given === null ? null : { input_tokens: input, output_tokens: given },
  });
}

function addResult(results: Map<string, KnownCallResult>, event: unknown, at: number | null): void {
  const id = textFrom(ownValue(event, 'id'));
  if (id === null) return;
  const completed = timeFrom(ownValue(event, 'completed'));
  const seconds = numberFrom(ownValue(event, 'working_time'));
  const took =
    seconds !== null ? Math.round(seconds * 1000) : completed !== null && at !== null ? completed - at : null;
  results.set(id, { at: completed ?? at, latency_ms: took });
}

/** An approver that waves everything through decided nothing. */
function addDecision(decisions: Map<string, ImportedDecision[]>, event: unknown, at: number | null): void {
  const call = ownValue(event, 'call');
  const id = textFrom(ownValue(call, 'id'));
  const approver = textFrom(ownValue(event, 'approver')) ?? '';
  const decision = textFrom(ownValue(event, 'decision')) ?? '';
  if (id === null || (approver === 'auto' && decision === 'approve') || decision === 'escalate') return;
  const modified = ownValue(event, 'modified');
  const decided: ImportedDecision = {
    at,
    actor: approver === 'human' ? seatActor(null) : { type: 'scripted', id: approver },
    rule: approver,
    decision: decision === 'modify' ? 'edited' : decision === 'approve' ? 'approved' : 'rejected',
    reason: textFrom(ownValue(event, 'explanation')),
    effective:
      decision === 'modify'
        ? {
            tool_name: textFrom(ownValue(modified, 'function')) ?? '',
            arguments: asObject(ownValue(modified, 'arguments')),
          }
        : null,
  };
  decisions.set(id, [...(decisions.get(id) ?? []), decided]);
}

export type Subagent = {
  /** The tool by which it was called, and the call. */
  tool: string;
  callId: string | null;
  span: string;
  /** The span of the sub-agent that called it; null when the sample's own agent did. */
  caller: string | null;
  events: JsonRecord[];
};

/** The sample's own events, and the sub-agents in the order of their calls. */
export function splitAgents(
  events: readonly unknown[],
  messages: readonly unknown[],
): { mine: JsonRecord[]; agents: Subagent[] } {
  const all = events.map(recordFrom);
  const agents = calledIn(all, new Set(messages.map((message) => ownValue(message, 'id'))));
  if (agents.size === 0) return { mine: all, agents: [] };
  const ownerOf = ownersAmong(all, agents);
  const mine: JsonRecord[] = [];
  for (const event of all) {
    const owner = agents.get(ownerOf(textFrom(event['span_id'])) ?? '');
    (owner?.events ?? mine).push(event);
  }
  for (const { span, events: its } of agents.values())
    for (const event of its) {
      const inner = agents.get(textFrom(event['agent_span_id']) ?? '');
      if (inner !== undefined) inner.caller = span;
    }
  const called = [...agents.values()];
  // One that asked no model has no conversation to tell.
  const isTold = ({ events: its }: Subagent): boolean => its.some(isModelEvent);
  for (const silent of called.filter((agent) => !isTold(agent))) mine.push(...silent.events);
  return { mine, agents: called.filter(isTold) };
}

const isModelEvent = (event: JsonRecord): boolean => event['event'] === 'model';

/** By their spans. An agent that took over wrote into the sample's own conversation, `mine`: it is no sub-agent. */
function calledIn(events: readonly JsonRecord[], mine: ReadonlySet<unknown>): Map<string, Subagent> {
  const agents = new Map<string, Subagent>();
  const wroteHere = new Set(
    events
      .filter((event) => isModelEvent(event) && mine.has(ownValue(modelReply(event), 'id') ?? ''))
      .map(spanIdOf),
  );
  for (const event of events) {
    const span = textFrom(event['agent_span_id']);
    const tool = textFrom(event['function']) ?? '';
    if (span === null || wroteHere.has(span) || tool.startsWith('transfer_to_')) continue;
    agents.set(span, { tool, callId: textFrom(event['id']), span, caller: null, events: [] });
  }
  return agents;
}

const spanIdOf = (event: JsonRecord): string | null => textFrom(event['span_id']);
const modelReply = (event: JsonRecord): unknown =>
  ownValue(listFrom(ownValue(event['output'], 'choices'))[0], 'message');

/** Gives for a span the nearest one, itself or around it, that is a sub-agent's. */
function ownersAmong(
  events: readonly JsonRecord[],
  agents: ReadonlyMap<string, Subagent>,
): (span: string | null) => string | null {
  const around = new Map<string, string | null>();
  for (const event of events) {
    const id = textFrom(event['id']);
    if (event['event'] === 'span_begin' && id !== null) around.set(id, textFrom(event['parent_id']));
  }
  const owners = new Map<string, string | null>();
  return (span) => {
    const passed: string[] = [];
    let at = span;
    while (at !== null && !agents.has(at) && !owners.has(at)) {
      // Spans that stand around each other are nobody's.
      owners.set(at, null);
      passed.push(at);
      at = around.get(at) ?? null;
    }
    const owner = at === null || agents.has(at) ? at : (owners.get(at) ?? null);
    for (const one of passed) owners.set(one, owner);
    return owner;
  };
}

/**
 * A sub-agent's conversation: what its requests began with or brought in, its replies, and what its calls returned. Each
 * message once, however often requests repeat it.
 */
export function agentMessages({ events }: Subagent, pool: readonly unknown[]): unknown[] {
  const messages: unknown[] = [];
  const known = new Set<string>();
  const add = (message: unknown, isFirst: boolean): void => {
    const call = textFrom(ownValue(message, 'tool_call_id'));
    const key = call === null ? textFrom(ownValue(message, 'id')) : `call ${call}`;
    if (key === null ? !isFirst : known.has(key)) return;
    if (key !== null) known.add(key);
    messages.push(message);
  };
  for (const event of events) {
    if (isModelEvent(event)) {
      const isFirst = messages.length === 0;
      for (const message of modelRequest(event, pool)) add(message, isFirst);
      const reply = modelReply(event);
      if (reply !== undefined && reply !== null) add(reply, true);
    } else if (event['event'] === 'tool') add(toolMessage(event), true);
  }
  return messages;
}

function modelRequest(event: JsonRecord, pool: readonly unknown[]): unknown[] {
  const refs = listFrom(event['input_refs']);
  return refs.length > 0 ? refs.flatMap((ref) => poolRange(pool, ref)) : listFrom(event['input']);
}

/** A tool's event as the message that its result becomes. */
const toolMessage = ({ id, function: tool, result, error }: JsonRecord): JsonRecord => ({
  role: 'tool',
  tool_call_id: id,
  function: tool,
  content: typeof result === 'object' && result !== null ? result : textFromAny(result),
  error,
});

/** The content of an event beside the conversation. */
export const withoutMessages = (event: JsonRecord): JsonRecord => {
  const { input: _input, input_refs: _refs, result: _result, ...rest } = event;
  return rest;
};
