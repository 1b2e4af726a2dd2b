// One message of an episode's conversation, marked with what it is and whether it may train; how each protocol writes a
// reply's calls; and the order of messages that servers and chat templates require.
import { hasExpired, isTouchedByPerson } from '../../../shared/episode/help.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { isReplyUnknown } from '../../../shared/episode/restarts.ts';
import { isFormatError } from '../../../shared/episode/turns.ts';
import { isAtSeat, type Actor } from '../../../shared/events/actor.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { Text } from '../../../shared/events/text.ts';
import {
  argumentsAsRead,
  RESPONSE_PREFIX,
  type Move,
  type Segment,
  taggedCalls,
} from '../../../shared/events/turns.ts';
import { parseJson } from '../../../shared/json.ts';
import { RewardType, ASK_EXPERT } from '../../../shared/wire.ts';
import { saidIn } from '../../llm/thinking.ts';
import { slimTool } from '../../llm/toolText.ts';
import { safeText } from './json.ts';

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

export type FunctionTool = {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

type LineKind =
  | 'prompt'
  | 'reply'
  | 'environment'
  /** A person gave the tool's result; the environment never saw the call. */
  | 'fabricated'
  | 'advice'
  | 'notice'
  | 'note';

/** The reason not to learn from a reply. */
type Untrainable =
  | 'touched'
  | 'discarded'
  | 'copied'
  | 'marked'
  | 'malformed'
  | 'refused'
  | 'failed'
  | 'rejected'
  | 'set_aside'
  | 'disagreed'
  | 'reply_unknown'
  | 'person';

export type TranscriptLine = TrainingReply & {
  kind: LineKind;
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** The call a result answers, and the tool's name. */
  answers: string | null;
  name: string | null;
  segments: readonly Segment[];
  turn: number;
  /** The event's number in the episode; null where the conversation was told as a whole. */
  n: number | null;
  /** Who wrote a reply; null for what was read. */
  by: Actor | null;
  untrainable: Untrainable | null;
  /** What the agent wrote, where a person changed the call; the line itself is what took effect. */
  proposed: TrainingReply | null;
  /** The environment refused the call as it was sent: there is no such tool, or it does not take such arguments. */
  isFailed: boolean;
  /** A person did this to the environment, or in its place: the conversation does not hold without them. */
  isActed: boolean;
  /** Nobody decided in time. */
  isTimeout: boolean;
  /** The agent reads that nobody knows what became of its call: no result, whoever made one of it. */
  isReplyUnknown: boolean;
  /** The advice's consultation, and the ask's. */
  consultation: string | null;
  /** What a reply asks for; null where it only says something, or nobody could read it. */
  move: Move | null;
  /** The turn a reply is; null where a told reply could not be placed at one. */
  of: Turn | null;
  /**
   * The first turn whose reasoning the model had before it when it wrote this, with that of each later one. 0 where nobody
   * recorded it: then all that was told.
   */
  recalls: number;
};

export type Transcript = {
  lines: TranscriptLine[];
  tools: FunctionTool[];
  isNative: boolean;
  /** A turn that a person changed is somewhere among replies that could not be placed: none may train. */
  isUnplaced: boolean;
};

export const BLANK = {
  content: '',
  calls: [] as ReplyCall[],
  reasoning: null,
  isExperts: false,
  isFailed: false,
  answers: null,
  name: null,
  segments: [] as Segment[],
  n: null,
  by: null,
  untrainable: null,
  proposed: null,
  isActed: false,
  isTimeout: false,
  isReplyUnknown: false,
  consultation: null,
  move: null,
  of: null,
  recalls: 0,
};

export const isByPerson = (turn: Turn | null): boolean => turn !== null && isAtSeat(turn.actor);

/**
 * True if the environment got the turn's call and refused it as malformed: by its own word for wrong arguments, or
 * because the call fits nothing that was listed. Its "not found" alone says nothing: a world says it of its records.
 */
export function isFailedCall({ tools }: Pick<EpisodeRecord, 'tools'>, { move, call }: Turn): boolean {
  const { sent = null, returned = null, decision } = call ?? {};
  if (returned === null || decision?.type === 'answered') return false;
  const said = returned.reward_type ?? '';
  if (said !== 'tool_not_found' && RewardType.formatErrors.has(said)) return true;
  const made: Move | null = sent && {
    type: 'call_tool',
    tool_name: sent.toolName,
    arguments: sent.arguments,
  };
  return isFormatError(tools, made ?? move, null, returned);
}

/** True if its file says that the reply must not train, however good it is. */
export const isBarred = (turn: Turn | null): boolean => (turn?.marks?.weight ?? 1) <= 0;

/** The first reason not to train on a turn. */
export function untrainable(record: Pick<EpisodeRecord, 'tools'>, turn: Turn): Untrainable | null {
  const { call, move, label } = turn;
  if (turn.isDiscarded) return 'discarded';
  if (turn.isCopied) return 'copied';
  if (isBarred(turn) || turn.marks?.judged === false) return 'marked';
  if (isTouchedByPerson(turn)) return 'touched';
  if (isByPerson(turn)) return 'person';
  if (move?.type === 'malformed') return 'malformed';
  if (call?.refused) return 'refused';
  if (isReplyUnknown(call)) return 'reply_unknown';
  const decision = call?.decision ?? null;
  if (decision?.type === 'rejected') return 'rejected';
  if (decision?.type === 'cancelled' || hasExpired(call)) return 'set_aside';
  if (label !== null && !label.agrees) return 'disagreed';
  return isFailedCall(record, turn) ? 'failed' : null;
}

/** The turn that a reply began with: its further calls are turns of their own. */
export const replyTurn = ({ of, turn }: TranscriptLine): number => of?.replyOf ?? turn;

/**
 * As servers and templates take it: a result answers a call of the reply before it, else it is words to the agent; a
 * call nothing came back for is left out unless it is the last thing there is; a reply without a word is no reply.
 */
export function paired(lines: readonly TranscriptLine[]): TranscriptLine[] {
  const answered = new Map<TranscriptLine, Set<string>>();
  let reply: TranscriptLine | null = null;
  const read = lines.map((line): TranscriptLine => {
    if (line.kind === 'reply') reply = line;
    if (line.role !== 'tool') return line;
    const asked: TranscriptLine | null = reply;
    const id = line.answers ?? '';
    if (asked === null || !asked.calls.some((call) => call.id === id)) return asWords(line);
    answered.set(asked, (answered.get(asked) ?? new Set<string>()).add(id));
    const called = asked.calls.find((call) => call.id === id);
    return { ...line, name: called?.name ?? line.name };
  });
  return read.flatMap((line): TranscriptLine[] => {
    if (line.kind !== 'reply') return [line];
    // The further calls of the last reply are part of the last thing there is.
    const isLast = reply !== null && replyTurn(line) === replyTurn(reply);
    const calls = isLast ? line.calls : line.calls.filter(({ id }) => answered.get(line)?.has(id));
    if (line.content.trim() === '' && calls.length === 0) return [];
    const isOther = isUnreadable({ calls }) && (line.untrainable ?? 'failed') === 'failed';
    return [{ ...line, calls, untrainable: isOther ? 'malformed' : line.untrainable }];
  });
}

/**
 * The lines with what each reply's model read again of earlier reasoning, as it was recorded. Where no model was asked, for
 * a person wrote the reply, that is all since somebody last spoke to it.
 */
export function withRecalls(
  lines: readonly TranscriptLine[],
  { turns, started }: EpisodeRecord,
): TranscriptLine[] {
  if (!turns.some(({ thought }) => thought !== undefined)) return [...lines];
  const isOff = started?.agent.reasoning === 'off';
  let recent = Infinity;
  let reply = Infinity;
  return lines.map((line): TranscriptLine => {
    if (line.role === 'user') recent = Infinity;
    if (line.kind !== 'reply') return line;
    // A further call was written with its reply.
    if (line.of?.replyOf === undefined)
      reply = isByPerson(line.of) ? recent : (line.of?.recalled ?? Infinity);
    const recalls = Math.min(reply, replyTurn(line));
    if (line.of?.thought !== undefined && !isOff) recent = Math.min(recent, line.turn);
    return { ...line, recalls };
  });
}

/** True if a reply thought before it spoke, in a field of its own or among its words. */
export const hasThought = ({ reasoning, content }: TrainingReply): boolean =>
  (reasoning !== null && reasoning.trim() !== '') || saidIn(content) !== content;

/** The reply without what it thought. */
export const withoutThought = <Reply extends TrainingReply>(reply: Reply): Reply => ({
  ...reply,
  reasoning: null,
  content: saidIn(reply.content),
});

/** The lines before a reply as its model read them: without the reasoning that was not sent again. */
export const asRead = (
  lines: readonly TranscriptLine[],
  reply: TranscriptLine | undefined,
): TranscriptLine[] =>
  lines.flatMap((line) => {
    if (line.kind !== 'reply' || line.turn >= (reply?.recalls ?? 0)) return [line];
    const said = withoutThought(line);
    return said.content === '' && said.calls.length === 0 ? [] : [said];
  });

/** True if the model read each reply's reasoning again, or not, just as a row shows it that holds all from `from` on. */
export function isReadAlike(lines: readonly TranscriptLine[], at: number, from: number): boolean {
  const reply = lines[at];
  if (reply?.kind !== 'reply' || reply.recalls === from) return true;
  const { recalls } = reply;
  return !lines.slice(0, at).some((line) => {
    const turn = replyTurn(line);
    return line.kind === 'reply' && turn >= recalls !== turn >= from && hasThought(line);
  });
}

function asWords(line: TranscriptLine): TranscriptLine {
  // What came back from a file that was written here has it already.
  const prefix = line.content.startsWith(RESPONSE_PREFIX) ? '' : RESPONSE_PREFIX;
  return {
    ...line,
    role: 'user',
    content: `${prefix}${line.content}`,
    segments: line.segments.map(({ type, start, end }) => ({
      type,
      start: start + prefix.length,
      end: end + prefix.length,
    })),
    answers: null,
    name: null,
  };
}

/** The line without the stretches that fit, and without the empty line before each. */
export function withoutSegments(
  line: TranscriptLine,
  fits: (segment: Segment, line: TranscriptLine) => boolean,
): TranscriptLine {
  const gone = line.segments.filter((segment) => fits(segment, line));
  if (gone.length === 0) return line;
  let content = '';
  let at = 0;
  for (const { start, end } of gone.toSorted((a, b) => a.start - b.start)) {
    content += line.content.slice(at, start).replace(/\n\n$/, '');
    at = end;
  }
  content += line.content.slice(at);
  return { ...line, content, segments: [] };
}

/**
 * Replies of several calls whole again: their calls in one message, the results after it in order, and after those what
 * was read in between. A further call whose reply is not among the lines stands by itself.
 */
export function joinReplies(lines: readonly TranscriptLine[]): TranscriptLine[] {
  if (!lines.some(({ of }) => of?.replyOf !== undefined)) return [...lines];
  const joined: TranscriptLine[] = [];
  let between: TranscriptLine[] = [];
  let at = -1;
  for (const line of lines) {
    const reply = joined[at];
    if (line.kind === 'reply' && reply !== undefined && replyTurn(line) === replyTurn(reply)) {
      joined[at] = withFurtherCall(reply, line);
    } else if (line.role === 'user' && at !== -1) {
      between.push(line);
    } else {
      if (line.role !== 'tool') {
        joined.push(...between);
        between = [];
      }
      joined.push(line);
      if (line.kind === 'reply') at = joined.length - 1;
    }
  }
  return [...joined, ...between];
}

/** One reply of both: what must not train of either must not train of the whole. */
const withFurtherCall = (reply: TranscriptLine, further: TranscriptLine): TranscriptLine => ({
  ...reply,
  calls: [...reply.calls, ...further.calls],
  untrainable: reply.untrainable ?? further.untrainable,
  isExperts: reply.isExperts || further.isExperts,
  isFailed: reply.isFailed || further.isFailed,
  isActed: reply.isActed || further.isActed,
  isTimeout: reply.isTimeout || further.isTimeout,
  proposed:
    reply.proposed === null && further.proposed === null
      ? null
      : {
          ...(reply.proposed ?? reply),
          calls: [...(reply.proposed ?? reply).calls, ...(further.proposed ?? further).calls],
        },
});

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

/** Words of a reply beside its call; what makes no call says nothing beside one. */
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

/** An episode's way to write calls. */
type CallStyle = { record: Pick<EpisodeRecord, 'tools' | 'offered'>; isNative: boolean };

/**
 * The reply with the call a person put in its place; null where nobody changed it. What the agent said and thought argues
 * for the call it had proposed, and the person’s reason is no word of the agent’s: none of it stands beside the call.
 */
export function decidedReply(turn: Turn, written: TrainingReply, style: CallStyle): TrainingReply | null {
  const { call } = turn;
  if (call?.decision?.type !== 'edited') return null;
  return replyWithCall(call.decision.toolName, call.decision.arguments, { agents: written, ...style });
}

/** Another call than the agent's, with no word of the agent's. */
function replyWithCall(
  name: string,
  args: Record<string, unknown>,
  { agents, record, isNative }: CallStyle & { agents: TrainingReply },
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
  { loadText, ...style }: CallStyle & { loadText: (text: Text) => string },
): TrainingReply | null {
  const called = (name: string, args: Record<string, unknown>): TrainingReply =>
    replyWithCall(name, args, { agents, ...style });
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

/** True if a call of it stands as something that the agent did not write: its arguments are no object. */
export const isUnreadable = ({ calls }: Pick<TrainingReply, 'calls'>): boolean =>
  calls.some(({ raw }) => ![raw, '{}'].includes(argumentsAsRead(raw)));

/** Arguments as an object, as the model read them. */
export const parseArguments = (raw: string): Record<string, unknown> =>
  parseJson(argumentsAsRead(safeText(raw))) as Record<string, unknown>;

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

/** Templates and servers want an object's schema even where a tool takes nothing. */
const NO_PARAMETERS = { type: 'object', properties: {} };

/** Titles, examples and lists of HTTP responses are left out, as the agent was not shown them either. */
export const functionTools = (tools: readonly ToolSpec[]): FunctionTool[] =>
  tools.map(slimTool).map(({ name, description, input_schema }) => ({
    type: 'function',
    function: {
      name: safeText(name),
      description: safeText(description),
      parameters: Object.keys(input_schema).length === 0 ? NO_PARAMETERS : input_schema,
    },
  }));
