// Folding what a foreign client's episode adds: how it is tapped, what is missing, what a person changed.
import { z } from 'zod';
import { taggedJson } from '../between.ts';
import { canonical } from '../canonical.ts';
import type { Text } from '../events/text.ts';
import type { EventOf } from '../events/vocabulary.ts';
import { parseJson, tryJson } from '../json.ts';
import { parsePlan } from '../plan.ts';
import { READ_MAX } from '../truncate.ts';
import { ASK_EXPERT, RESERVED_TOOLS } from '../wire.ts';
import { changeTurn, type FoldStep, withItem } from './change.ts';
import type { EpisodeRecord } from './record.ts';

export type GatewayEvent = EventOf<
  | 'tap.opened'
  | 'frame.passed'
  | 'recording.gap'
  | 'turn.touched'
  | 'ask.leaked'
  | 'turn.transcribed'
  | 'conversation.told'
>;

export function foldGateway(record: EpisodeRecord, step: FoldStep, event: GatewayEvent): EpisodeRecord {
  switch (event.kind) {
    case 'tap.opened':
      return withItem({ ...record, tapped: event }, step, { type: 'tapped' });
    case 'frame.passed':
      return withItem(record, step, { type: 'frame', direction: event.direction, frame: event.frame });
    case 'recording.gap':
      return withItem(withCounts(record, { lostFrames: event.frames }), step, {
        type: 'gap',
        fromAt: event.from_at,
        toAt: event.to_at,
        frames: event.frames,
        reason: event.reason,
      });
    case 'turn.touched':
      return withItem(
        changeTurn(
          record,
          step,
          ({ turn }) => turn === event.turn,
          (turn) => ({ ...turn, touched: event.touch }),
        ),
        step,
        { type: 'touched', turn: event.turn, touch: event.touch },
      );
    case 'ask.leaked':
      return withItem(withCounts(record, { leaks: 1 }), step, { type: 'leaked', turn: event.turn });
    case 'turn.transcribed':
      return transcribed(record, step, event);
    case 'conversation.told':
      return conversationTold(record, event);
  }
}

/** What was told once is not taken back by telling less. */
function conversationTold(record: EpisodeRecord, event: EventOf<'conversation.told'>): EpisodeRecord {
  const { messages, follows, ...rest } = event;
  const before = follows === true ? record : null;
  const tools = new Set(record.tools.map(({ name }) => name));
  const read = typeof messages === 'string' ? readToldHelp(messages, tools) : null;
  const told = {
    hasAsk: record.told.hasAsk || read?.hasAsk === true,
    hasAdvice: record.told.hasAdvice || read?.hasAdvice === true,
    ownTools: [...new Set([...record.told.ownTools, ...(read?.ownTools ?? [])])],
    calls:
      read === null || before?.told.calls === null ? null : [...(before?.told.calls ?? []), ...read.calls],
    silentReplies: (before?.told.silentReplies ?? 0) + (read?.silentReplies ?? 0),
  };
  const conversation = { ...rest, messages: [...(before?.conversation?.messages ?? []), messages] };
  return { ...record, conversation, told };
}

/** The messages that were told, in order; undefined where they cannot be read, as after an erasure. */
export function toldMessages(
  { messages }: { messages: readonly Text[] },
  loadText: (text: Text) => string,
): unknown[] | undefined {
  try {
    const lists = messages.map((text) => parseJson(loadText(text)));
    return lists.every((list) => Array.isArray(list)) ? lists.flat() : undefined;
  } catch {
    return undefined;
  }
}

const withCounts = (
  record: EpisodeRecord,
  by: Partial<Pick<EpisodeRecord['counts'], 'leaks' | 'lostFrames'>>,
): EpisodeRecord => ({
  ...record,
  counts: {
    ...record.counts,
    leaks: record.counts.leaks + (by.leaks ?? 0),
    lostFrames: record.counts.lostFrames + (by.lostFrames ?? 0),
  },
});

/** The text of a turn of which only the call was known; a turn that has its own words keeps them. */
function transcribed(
  record: EpisodeRecord,
  step: FoldStep,
  event: EventOf<'turn.transcribed'>,
): EpisodeRecord {
  const turn = record.turns.find((one) => one.turn === event.turn);
  if (turn === undefined || turn.hasText) return record;
  const said = record.messages.findIndex(({ role, turn: at }) => role === 'assistant' && at === event.turn);
  const message = record.messages[said];
  const withText = changeTurn(
    record,
    step,
    (one) => one.turn === event.turn,
    (one) => ({
      ...one,
      content: event.content,
      reasoning: event.reasoning,
      toolCalls: event.tool_calls,
      model: event.model,
      usage: event.usage,
      hasText: true,
    }),
  );
  if (message === undefined) return withText;
  return {
    ...withText,
    messages: step.lists.replace(withText.messages, said, {
      ...message,
      content: event.content,
      toolCalls: event.tool_calls,
      full_length: event.content.length,
    }),
  };
}

// What a client's transcript says of help: questions to an expert, advice in what the agent read, a brief before it
// began, and which calls it holds. Pure. Recognition is tolerant; what it misses is why a client has to declare as
// well.
export type ToldHelp = {
  /** A reply asks an expert. */
  hasAsk: boolean;
  /** A message that the agent read holds a plan or words headed as an expert's, before its first reply or later. */
  hasAdvice: boolean;
  /** The calls of its replies in order, without asks and the host's own: `tool\narguments` with sorted keys. */
  calls: string[];
  /** Replies that no environment hears of, and that are well formed: a question to the expert, or words without a call. */
  silentReplies: number;
  /** Tools it called that are no tool of the environment's: nobody knows who answers them. */
  ownTools: string[];
};

const ReportedMessage = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z
    .array(
      z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.unknown() }).optional() }),
    )
    .nullish(),
});
type ReportedMessage = z.infer<typeof ReportedMessage>;
const ReportedParts = z.array(z.looseObject({ text: z.string().optional(), content: z.string().optional() }));

type ReportedCall = { name: string; args: unknown };

/** Names by which clients call an expert: `ask_expert`, `consult_advisor`, `query_teacher`. */
const EXPERT_TOOL = /(?:^|[_.-])(?:expert|advis[eo]r|teacher|mentor|oracle|supervisor|tutor)s?(?:$|[_.-])/i;
/** A line or a tag that says whose words follow. */
const EXPERT_HEAD =
  /(?:^|\n)[ \t]*(?:[#*<[]{1,6}[ \t]*)?(?:the[ \t]+|an?[ \t]+)?(?:expert|advisor|teacher|mentor|supervisor)(?:['’]s)?[ _-]?(?:advice|plan|guidance|brief|hints?|instructions?|recommendations?|answer|response)\b[^\n:>]{0,30}[:>]/i;
const EXPERT_SAYS =
  /\b(?:advice|plan|guidance|hints?) from (?:an?|the) (?:expert|advisor|teacher|mentor)\b[^\n:]{0,30}:/i;
const ASK_IN_TEXT = new RegExp(`<${ASK_EXPERT}\\b|\\b${ASK_EXPERT}[ \\t]*\\(`);

/** Reads chat messages in JSON; null where they are none, or more than is read. `tools` are the names of the environment's. */
export function readToldHelp(json: string, tools: ReadonlySet<string>): ToldHelp | null {
  const messages = z.array(ReportedMessage).safeParse(json.length > READ_MAX ? null : tryJson(json)).data;
  if (messages === undefined) return null;
  const replies = messages.filter(({ role }) => role === 'assistant');
  const calls = replies.flatMap(callsOf);
  const isAsk = ({ name }: ReportedCall): boolean =>
    name === ASK_EXPERT || (!tools.has(name) && EXPERT_TOOL.test(name));
  const made = calls.filter(
    (call) => !isAsk(call) && call.name !== 'list_tools' && !RESERVED_TOOLS.has(call.name),
  );
  return {
    hasAsk: calls.some(isAsk) || replies.some((reply) => ASK_IN_TEXT.test(reportedText(reply))),
    hasAdvice: messages.some(
      (message) => message.role !== 'assistant' && isAdvice(reportedText(message), tools),
    ),
    silentReplies: replies.filter((reply) => isSilent(reply, isAsk)).length,
    calls: made.map(({ name, args }) => callKey(name, args)),
    ownTools:
      tools.size === 0 ? [] : [...new Set(made.flatMap(({ name }) => (tools.has(name) ? [] : [name])))],
  };
}

/** One that tries to call and cannot be read makes no call either, but is not well formed. */
function isSilent(reply: ReportedMessage, isAsk: (call: ReportedCall) => boolean): boolean {
  const calls = callsOf(reply);
  if (calls.length > 0) return calls.every(isAsk);
  return (reply.tool_calls ?? []).length === 0 && !reportedText(reply).includes('<tool_call>');
}

/** Two calls of the same tool with the same arguments share it. */
export const callKey = (tool: string, args: unknown): string => `${tool}\n${canonical(args)}`;

function isAdvice(text: string, tools: ReadonlySet<string>): boolean {
  if (EXPERT_HEAD.test(text) || EXPERT_SAYS.test(text)) return true;
  if (!/"plan"\s*:/.test(text)) return false;
  const { form, calls } = parsePlan(text);
  return form === 'json' && calls.some(({ tool }) => tools.size === 0 || tools.has(tool));
}

function callsOf(message: ReportedMessage): ReportedCall[] {
  const beside = (message.tool_calls ?? []).flatMap(({ function: called }) =>
    called === undefined ? [] : [{ name: called.name, args: objectOf(called.arguments) }],
  );
  const written = taggedJson(reportedText(message)).flatMap((json) => {
    const call = z.looseObject({ name: z.string(), arguments: z.unknown() }).safeParse(tryJson(json)).data;
    return call === undefined ? [] : [{ name: call.name, args: objectOf(call.arguments) }];
  });
  return [...beside, ...(beside.length > 0 ? [] : written)].map(unwrapped);
}

/** `call_tool({"tool_name", "arguments"})` is the call inside. */
function unwrapped(call: ReportedCall): ReportedCall {
  if (call.name !== 'call_tool') return call;
  const inner = z.looseObject({ tool_name: z.string(), arguments: z.unknown() }).safeParse(call.args).data;
  return inner === undefined ? call : { name: inner.tool_name, args: objectOf(inner.arguments) };
}

const objectOf = (given: unknown): unknown => (typeof given === 'string' ? tryJson(given) : given) ?? {};

function reportedText({ content }: ReportedMessage): string {
  if (typeof content === 'string') return content;
  const parts = ReportedParts.safeParse(content).data ?? [];
  return parts.map(({ text, content: inner }) => text ?? inner ?? '').join('\n');
}
