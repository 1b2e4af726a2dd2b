// Replies as training data writes them: text, calls, and how each protocol writes a move.
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { type Move, taggedCalls } from '../../../shared/events/turns.ts';
import type { Text } from '../../../shared/events/text.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { safeText } from './json.ts';
import type { TranscriptLine } from './transcriptLine.ts';

export type ReplyCall = {
  id: string;
  name: string;
  /** Arguments as they were written. */
  raw: string;
};
export type TrainingReply = {
  content: string;
  calls: ReplyCall[];
  reasoning: string | null;
  /** Not the agent wrote it: whoever advised, corrected or took over did. */
  isExperts: boolean;
};

/** The calls of several replies in one, with the words of the first. */
export const together = ([first, ...others]: readonly TrainingReply[]): TrainingReply => ({
  content: first?.content ?? '',
  reasoning: first?.reasoning ?? null,
  calls: [...(first?.calls ?? []), ...others.flatMap(({ calls }) => calls)],
  isExperts: first?.isExperts === true || others.some(({ isExperts }) => isExperts),
});

/** A call that is written into the text. */
export const CALL_IN_TEXT = /<tool_call>[\s\S]*?(?:<\/tool_call>|$)/g;

/** Each call of a reply that is written into its text. */
export const callsInText = ({ content, calls }: TrainingReply): string[] =>
  calls.length > 0 ? [] : (content.match(CALL_IN_TEXT) ?? []);

/** What a reply says beside its call; what makes no call says nothing beside one. */
export function wordsBeside(reply: TrainingReply): string {
  if (reply.calls.length > 0) return reply.content;
  return callsInText(reply).length === 0 ? '' : reply.content.replace(CALL_IN_TEXT, '').trim();
}

/** The calls of a reply under these words alone; a reply without a call is its words. */
export function withWords(reply: TrainingReply, words: string): TrainingReply {
  if (reply.calls.length > 0) return { ...reply, content: words };
  const written = callsInText(reply);
  return written.length === 0 ? reply : { ...reply, content: [words, ...written].join('\n').trimStart() };
}

/** How calls are written in an episode. */
type Manner = { record: Pick<EpisodeRecord, 'tools' | 'offered'>; isNative: boolean };

/**
 * The reply with the call a person put in its place; null where nobody changed it. What the agent said and thought argues
 * for the call it had proposed, and the person’s reason is no word of the agent’s: none of it stands beside the call.
 */
export function decidedReply(turn: Turn, written: TrainingReply, manner: Manner): TrainingReply | null {
  const { call } = turn;
  if (call?.decision?.type !== 'edited') return null;
  return replyWithCall(call.decision.toolName, call.decision.arguments, { agents: written, ...manner });
}

/** Another call than the agent's, with no word of the agent's. */
function replyWithCall(
  name: string,
  args: Record<string, unknown>,
  { agents, record, isNative }: Manner & { agents: TrainingReply },
): TrainingReply {
  const silent = { content: '', calls: [], reasoning: null, isExperts: true };
  const raw = JSON.stringify(args);
  if (!isNative) return { ...silent, content: taggedCalls('', [{ name, arguments: raw }]) };
  const id = agents.calls[0]?.id ?? 'call_0';
  return { ...silent, calls: [{ id, name: offeredName(name, record), raw }] };
}

/** A move as a reply to the same prompt, for what a person says should have been done. Null for what nobody could have meant. */
export function replyOfMove(
  move: Move,
  agents: TrainingReply,
  { loadText, ...manner }: Manner & { loadText: (text: Text) => string },
): TrainingReply | null {
  const called = (name: string, args: Record<string, unknown>): TrainingReply =>
    replyWithCall(name, args, { agents, ...manner });
  switch (move.type) {
    case 'call_tool':
      return called(move.tool_name, move.arguments);
    case 'list_tools':
      return called('list_tools', {});
    case 'ask_expert':
      return called(ASK_EXPERT, move.arguments);
    case 'final':
      return { content: safeText(loadText(move.text)), calls: [], reasoning: null, isExperts: true };
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

/** Arguments as an object; what is none is kept under a key of its own. */
export function parseArguments(raw: string): Record<string, unknown> {
  try {
    const value = parseJson(raw === '' ? '{}' : raw);
    return isRecord(value) ? (value as Record<string, unknown>) : { value };
  } catch {
    return { raw: safeText(raw) };
  }
}

type CalledTool = { id: string | null; name: string; args: Record<string, unknown> };

/** Calls beside the text, or the one written into it. */
export function replyMoves({ calls, move }: TranscriptLine): CalledTool[] {
  if (calls.length > 0) return calls.map(({ id, name, raw }) => ({ id, name, args: parseArguments(raw) }));
  switch (move?.type) {
    case 'call_tool':
      return [{ id: null, name: move.tool_name, args: move.arguments }];
    case 'ask_expert':
      return [{ id: null, name: 'ask_expert', args: move.arguments }];
    case 'list_tools':
      return [{ id: null, name: 'list_tools', args: {} }];
    default:
      return [];
  }
}
