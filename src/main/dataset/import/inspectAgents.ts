// Finds the agents that an Inspect agent called as tools: their requests stand among the sample's events, in spans of
// their own. Source: `as_tool` of inspect_ai/agent/_as_tool.py; `SpanBeginEvent` and `ToolEvent.agent_span_id` of its
// events.
import { poolRange } from './pool.ts';
import { recordFrom, listFrom, ownValue, textFrom, textFromAny, type JsonRecord } from './values.ts';

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

/** What an event says beside the conversation. */
export const withoutMessages = (event: JsonRecord): JsonRecord => {
  const { input: _input, input_refs: _refs, result: _result, ...rest } = event;
  return rest;
};
