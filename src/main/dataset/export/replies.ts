// Owns: replies as training data has them: words, calls, and how a move is written in each protocol.
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Move } from '../../../shared/events/turns.ts';
import type { Text } from '../../../shared/events/text.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { safeText } from './json.ts';

export type Call = {
  id: string;
  name: string;
  /** Arguments as they were written. */
  raw: string;
};
export type Reply = { content: string; calls: Call[]; reasoning: string | null };
type Made = { name: string; args: Record<string, unknown> };
/** How calls are written in an episode. */
type Manner = { record: Pick<EpisodeRecord, 'tools' | 'offered'>; isNative: boolean };

/** The reply with the call a person put in its place; null where nobody changed it. The words stay the agent's. */
export function decidedReply(turn: Turn, written: Reply, manner: Manner): Reply | null {
  const { call } = turn;
  if (call?.decision?.type !== 'edited') return null;
  const { toolName: name, arguments: args } = call.decision;
  return withCall(written, { name, args }, manner);
}

/** The words of a reply with another call. */
function withCall(
  { content, calls, reasoning }: Reply,
  { name, args }: Made,
  { record, isNative }: Manner,
): Reply {
  if (!isNative) return { content: tagged(wordsBefore(content), name, args), calls: [], reasoning };
  const id = calls[0]?.id ?? 'call_0';
  return { content, calls: [{ id, name: offeredName(name, record), raw: JSON.stringify(args) }], reasoning };
}

/**
 * A move as a reply to the same prompt, for what a person says should have been done. Words that only announce the call
 * are the agent's; a final answer is all words. Null for what nobody could have meant.
 */
export function replyOf(
  move: Move,
  agents: Reply,
  { whole, ...manner }: Manner & { whole: (text: Text) => string },
): Reply | null {
  switch (move.type) {
    case 'call_tool':
      return withCall(agents, { name: move.tool_name, args: move.arguments }, manner);
    case 'list_tools':
      return withCall(agents, { name: 'list_tools', args: {} }, manner);
    case 'ask_expert':
      return withCall(agents, { name: ASK_EXPERT, args: move.arguments }, manner);
    case 'final':
      return { content: safeText(whole(move.text)), calls: [], reasoning: null };
    case 'malformed':
      return null;
  }
}

/** The name the agent knows a tool by: what it was offered natively may be spelt otherwise. */
function offeredName(name: string, { tools, offered }: Pick<EpisodeRecord, 'tools' | 'offered'>): string {
  if (offered.some((tool) => tool.name === name)) return name;
  const index = tools.findIndex((tool) => tool.name === name);
  return offered[index]?.name ?? name;
}

/** Where calls are text: what was said before the first of them. */
function wordsBefore(content: string): string {
  const at = content.indexOf('<tool_call>');
  return at === -1 ? '' : content.slice(0, at).trimEnd();
}

const VIRTUAL: ReadonlySet<string> = new Set(['list_tools', ASK_EXPERT]);

function tagged(say: string, name: string, args: Record<string, unknown>): string {
  const call = VIRTUAL.has(name)
    ? { name, arguments: args }
    : { name: 'call_tool', arguments: { tool_name: name, arguments: args } };
  return `${say}\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`.trimStart();
}

/** Arguments as an object; what is none is kept under a key of its own. */
export function argumentsOf(raw: string): Record<string, unknown> {
  try {
    const value = JSON.parse(raw === '' ? '{}' : raw) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { value };
  } catch {
    return { raw: safeText(raw) };
  }
}
