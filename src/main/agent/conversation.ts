// Every text the agent reads, and how it is put to it in each protocol. Must not know: the log, or when something is
// said. The prompt is the same in every condition but for the ask.
import type { DeliveredAs } from '../../shared/events/consultations.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { RESPONSE_PREFIX, type MessageOrigin, type Segment } from '../../shared/events/turns.ts';
import type { Routing } from '../../shared/experts/roster.ts';
import { slimTool, toolLines, type ToolSchema } from '../llm/toolText.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';
import { askWho, expertLines, notFollowedText } from './namedExperts.ts';
import type { MoveReading } from './readMove.ts';
import { ASK_EXPERT, LIST_TOOLS, nativeNames } from './toolNames.ts';

/** A message ready to be added. `body` is its main text as the agent reads it, without prefix and nudges. */
export type Delivery = {
  role: 'system' | 'user' | 'tool';
  content: string;
  origin: MessageOrigin;
  segments: Segment[];
  /** Length of the content had nothing been cut, in UTF-16 units. */
  full_length: number;
  toolCallId: string | null;
  name: string | null;
  body: { text: string; full_length: number; deliveredLength: number };
};

/** The reading that is being answered. */
type AnsweredCall = Pick<MoveReading, 'nativeCallId' | 'calledName' | 'ignoredCalls'>;
type TextPart = { type: Segment['type']; text: string };

export type Nudge = 'error' | 'stall';
/** `detail`: which arguments do not fit, and what they must be. */
export type CallRefusal =
  | { reason: 'reserved' | 'unknown_tool' | 'budget' | 'condition'; toolName: string }
  | { reason: 'malformed'; toolName: string; detail: string };

type DeliveredAnswer = { as: DeliveredAs; text: string; routed?: Routing | null };
/** An expert as the agent is told of them. */
type NamedExpert = { name: string; ask_for: string };

export type AgentConversation = {
  opening(episode: { task: string; tools: readonly ToolSpec[]; environmentText?: string }): Delivery[];
  /** What the agent is offered natively: the environment's tools, `list_tools`, and `ask_expert` when it may ask. */
  offered(tools: readonly ToolSpec[]): ToolSpec[];
  toolResponse(
    to: AnsweredCall,
    result: { text: string | null; error: string | null },
    nudges: readonly Nudge[],
  ): Delivery;
  toolList(to: AnsweredCall, tools: readonly ToolSpec[], nudges: readonly Nudge[]): Delivery;
  refused(to: AnsweredCall, refusal: CallRefusal, nudges: readonly Nudge[]): Delivery;
  malformed(to: AnsweredCall, problem: { code: string; detail: string }, nudges: readonly Nudge[]): Delivery;
  /** What an ask came to. `text` is the advice, or the reason of a decline; it is not read in the other cases. */
  advice(to: AnsweredCall, given: DeliveredAnswer, nudges: readonly Nudge[]): Delivery;
  /** What an advisor said of a call that the agent was unsure of, in place of its result. */
  unsure(to: AnsweredCall, given: DeliveredAnswer, limit: { stated: number; below: number }): Delivery;
  /** The result of a call a person changed, with what ran instead and why. */
  editedResponse(
    to: AnsweredCall,
    result: { text: string | null; error: string | null },
    edit: { tool_name: string; arguments: object; reason: string | null },
    nudges: readonly Nudge[],
  ): Delivery;
  /** A person decided against a call: words, not an error, so that it is not simply tried again. */
  rejected(to: AnsweredCall, reason: string): Delivery;
  /** Nobody decided about the call in time. */
  expired(to: AnsweredCall): Delivery;
  /** A person who took over left the question or the call behind. */
  setAside(to: AnsweredCall): Delivery;
  /** A person gave the tool's result; the agent reads it as one, the segment says that it is fabricated. */
  answered(to: AnsweredCall, given: { text: string; isError: boolean }, nudges: readonly Nudge[]): Delivery;
  /** The answer to its call was lost, and nobody knows whether it was carried out. */
  replyUnknown(to: AnsweredCall, text: string, nudges: readonly Nudge[]): Delivery;
  /** What is known of an earlier run, put before the agent with its task. */
  brief(text: string): Delivery;
  /** Words a person puts in between, answering no call. */
  note(text: string): Delivery;
};

/** The start of a failed call's response. */
export const ERROR_PREFIX = 'Error: ';

type ConversationOptions = {
  prompts: Prompts;
  protocol: 'native' | 'xml';
  /** Whether there is an expert in this episode at all, not what is left of the budget. */
  canAsk: boolean;
  deliveredChars: number;
  /** Whether the agent is asked how sure it is. */
  statesConfidence?: boolean;
  /** Whom the agent may ask by name; none where there is no choice. */
  experts?: readonly NamedExpert[];
};

export function createConversation({
  prompts,
  protocol,
  canAsk,
  deliveredChars,
  statesConfidence = false,
  experts = [],
}: ConversationOptions): AgentConversation {
  const deliver = createDeliver({
    deliveredChars,
    mark: (shown, total) => fillPrompt(prompts.cutMark, { shown: String(shown), total: String(total) }),
  });
  const of = { protocol, canAsk, statesConfidence, experts };
  const extras = (to: AnsweredCall, nudges: readonly Nudge[]): TextPart[] => [
    ...ignoredNotice(prompts, to),
    ...(canAsk ? nudges.map((nudge) => nudgePart(prompts, nudge)) : []),
  ];
  return {
    opening: ({ task, environmentText = '', ...episode }) => [
      promptMessage('system', systemPrompt(prompts, { ...of, ...episode, environmentText })),
      promptMessage('user', task),
    ],
    offered: (tools) => offeredTools(tools, toolTexts(prompts, canAsk, experts)),
    toolResponse: (to, result, nudges) =>
      deliver(to, 'environment', resultPart(prompts, result), extras(to, nudges)),
    toolList: (to, tools, nudges) =>
      deliver(to, 'environment', { type: 'environment', text: toolLines(tools) }, extras(to, nudges)),
    refused: (to, refusal, nudges) =>
      deliver(to, 'notice', notice(refusalText(prompts, refusal)), extras(to, nudges)),
    malformed: (to, { detail }, nudges) => {
      const prompt = protocol === 'native' ? prompts.malformedNative : prompts.malformedXml;
      return deliver(to, 'notice', notice(fillPrompt(prompt, { detail })), extras(to, nudges));
    },
    advice: (to, given, nudges) => {
      const part = advicePart(prompts, given);
      return deliver(to, part.type === 'advice' ? 'advice' : 'notice', part, [
        ...notFollowedText(prompts, given.routed ?? null).map(notice),
        ...extras(to, nudges),
      ]);
    },
    unsure: (to, given, { stated, below }) => {
      const part = advicePart(prompts, given);
      const shown = { stated: percent(stated), below: percent(below) };
      return deliver(to, part.type === 'advice' ? 'advice' : 'notice', part, [
        notice(fillPrompt(prompts.unsure, shown)),
        ...extras(to, []),
      ]);
    },
    editedResponse: (to, result, edit, nudges) =>
      deliver(to, 'environment', resultPart(prompts, result), [
        editNotice(prompts, edit),
        ...extras(to, nudges),
      ]),
    rejected: (to, reason) =>
      deliver(to, 'notice', notice(fillPrompt(prompts.callRejected, { reason })), extras(to, [])),
    expired: (to) => deliver(to, 'notice', notice(fillPrompt(prompts.callExpired, {})), extras(to, [])),
    setAside: (to) => deliver(to, 'notice', notice(fillPrompt(prompts.setAside, {})), extras(to, [])),
    answered: (to, { text, isError }, nudges) =>
      deliver(to, 'fabricated', fabricated(text, isError), extras(to, nudges)),
    replyUnknown: (to, text, nudges) =>
      deliver(to, 'notice', notice(`${ERROR_PREFIX}${text}`), extras(to, nudges)),
    brief: (text) =>
      deliver(null, 'advice', { type: 'advice', text: fillPrompt(prompts.brief, { brief: text }) }, []),
    note: (text) =>
      deliver(null, 'note', { type: 'note', text: fillPrompt(prompts.note, { note: text }) }, []),
  };
}

const toolTexts = (prompts: Prompts, canAsk: boolean, experts: readonly NamedExpert[]) => ({
  list: fillPrompt(prompts.listTool, {}),
  ask: canAsk ? fillPrompt(prompts.askTool, {}) : null,
  who: askWho(prompts, experts),
});

const ignoredNotice = (prompts: Prompts, { ignoredCalls: count }: AnsweredCall): TextPart[] =>
  count > 0 ? [notice(fillPrompt(prompts.ignoredCalls, { count: String(count) }))] : [];

const percent = (share: number): string => String(Math.round(share * 100));

const editNotice = (
  prompts: Prompts,
  { tool_name, arguments: args, reason }: { tool_name: string; arguments: object; reason: string | null },
): TextPart => {
  const call = `${tool_name}(${JSON.stringify(args)})`;
  return notice(fillPrompt(prompts.callEdited, { call, reason: reason ?? 'not given' }));
};

const fabricated = (text: string, isError: boolean): TextPart => ({
  type: 'fabricated',
  text: isError ? `${ERROR_PREFIX}${text}` : text,
});

const notice = (text: string): TextPart => ({ type: 'notice', text });

const nudgePart = (prompts: Prompts, nudge: Nudge): TextPart => ({
  type: 'nudge',
  text: fillPrompt(nudge === 'error' ? prompts.nudgeError : prompts.nudgeStall, {}),
});

function systemPrompt(
  prompts: Prompts,
  episode: Required<Omit<ConversationOptions, 'prompts' | 'deliveredChars'>> & {
    tools: readonly ToolSpec[];
    environmentText: string;
  },
): string {
  const { protocol, canAsk, statesConfidence, tools, environmentText, experts } = episode;
  // Calls that are text are the public recipe's: one a reply.
  const calls = fillPrompt(protocol === 'native' ? prompts.callsInOrder : prompts.callsFirst, {});
  const askPrompt = protocol === 'native' ? prompts.askNative : prompts.askXml;
  // The paragraph brings its own line break, so that without it not even an empty line is left.
  const paragraphs = [
    ...(canAsk ? [fillPrompt(askPrompt, {})] : []),
    // A native call has them in its schema.
    ...(canAsk && protocol === 'xml' && experts.length > 0
      ? [fillPrompt(prompts.askWhoXml, { experts: expertLines(experts) })]
      : []),
    ...(statesConfidence ? [fillPrompt(prompts.confidence, {})] : []),
  ];
  const ask = paragraphs.map((text) => `\n${text}`).join('');
  const ours =
    protocol === 'native'
      ? fillPrompt(prompts.agentNative, { ask, calls })
      : fillPrompt(prompts.agentXml, { ask, calls, tools: toolLines(tools) });
  return environmentText === '' ? ours : `${ours}\n\n${environmentText}`;
}

function resultPart(
  prompts: Prompts,
  { text, error }: { text: string | null; error: string | null },
): TextPart {
  const shown = [
    ...(error === null ? [] : [`${ERROR_PREFIX}${error}`]),
    ...(text === null || text === '' ? [] : [text]),
  ].join('\n');
  return shown === '' ? notice(fillPrompt(prompts.emptyResult, {})) : { type: 'environment', text: shown };
}

function advicePart(prompts: Prompts, { as, text }: DeliveredAnswer): TextPart {
  switch (as) {
    case 'advice':
    case 'draft':
      return { type: 'advice', text };
    case 'declined':
      return notice(fillPrompt(prompts.adviceDeclined, { reason: text }));
    case 'timed_out':
      return notice(fillPrompt(prompts.adviceTimedOut, {}));
    case 'nobody':
      return notice(fillPrompt(prompts.adviceNobody, {}));
  }
}

function refusalText(prompts: Prompts, refusal: CallRefusal): string {
  const { reason, toolName } = refusal;
  switch (reason) {
    case 'malformed':
      return fillPrompt(prompts.refusedArguments, { tool: toolName, detail: refusal.detail });
    case 'reserved':
      return fillPrompt(prompts.refusedReserved, { tool: toolName });
    case 'unknown_tool':
      return fillPrompt(prompts.refusedUnknownTool, { tool: toolName });
    case 'budget':
      return fillPrompt(prompts.refusedBudget, {});
    case 'condition':
      return fillPrompt(prompts.refusedCondition, {});
  }
}

const promptMessage = (role: 'system' | 'user', content: string): Delivery => ({
  role,
  content,
  origin: 'prompt',
  segments: [],
  full_length: content.length,
  toolCallId: null,
  name: null,
  body: { text: content, full_length: content.length, deliveredLength: content.length },
});

// The tools offered to an agent natively: the environment's under names that fit, and the virtual ones.
const textProperty = (description: string): ToolSchema => ({ type: 'string', description });

/** An episode's tools are the same list in each of its turns. */
const slimmed = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>();

function ownTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = slimmed.get(tools);
  if (known !== undefined) return known;
  const names = nativeNames(tools);
  const own = tools.map((tool) => ({ ...slimTool(tool), name: names.get(tool.name) ?? tool.name }));
  slimmed.set(tools, own);
  return own;
}

/** Tools offered natively: the environment's tools, `list_tools`, and `ask_expert` where there is an expert. */
export function offeredTools(
  tools: readonly ToolSpec[],
  descriptions: {
    list: string;
    ask: string | null;
    /** Whom the agent may name, and what it is told of them; null or absent where it asks whoever is there. */
    who?: { names: string[]; text: string } | null;
  },
): ToolSpec[] {
  const own = ownTools(tools);
  const list: ToolSpec = {
    name: LIST_TOOLS,
    description: descriptions.list,
    input_schema: { type: 'object', properties: {} },
  };
  const { who = null } = descriptions;
  if (descriptions.ask === null) return [...own, list];
  const ask: ToolSpec = {
    name: ASK_EXPERT,
    description: descriptions.ask,
    input_schema: {
      type: 'object',
      properties: {
        task: textProperty('What you want to achieve.'),
        available_tools: textProperty('Names of the tools that seem to matter, separated by commas.'),
        context: textProperty('What you tried, what came back, and what you cannot tell.'),
        ...(who === null ? {} : { expert: { ...textProperty(who.text), enum: who.names } }),
      },
      required: ['task'],
    },
  };
  return [...own, list, ask];
}

/** The first characters of a text, never half a surrogate pair. */
function textStart(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

type Deliver = (
  to: AnsweredCall | null,
  origin: MessageOrigin,
  main: TextPart,
  extras: readonly TextPart[],
) => Delivery;

/**
 * Puts a main text and what comes after it into one message with segments. It is the one place where a text is cut, and
 * only the main text may be.
 */
const createDeliver =
  (limits: { deliveredChars: number; mark: (shown: number, total: number) => string }): Deliver =>
  (to, origin, main, extras) => {
    const shown =
      main.text.length > limits.deliveredChars ? textStart(main.text, limits.deliveredChars) : main.text;
    const isCut = shown.length < main.text.length;
    const mark = isCut ? `\n${limits.mark(shown.length, main.text.length)}` : '';
    const toolCallId = to?.nativeCallId ?? null;
    const prefix = toolCallId === null && typeof to?.calledName === 'string' ? RESPONSE_PREFIX : '';
    const { content, segments } = join(prefix, [{ type: main.type, text: shown }], mark, extras);
    return {
      role: toolCallId === null ? 'user' : 'tool',
      content,
      origin,
      segments,
      full_length: content.length - mark.length - shown.length + main.text.length,
      toolCallId,
      name: toolCallId === null ? null : (to?.calledName ?? null),
      body: { text: `${shown}${mark}`, full_length: main.text.length, deliveredLength: shown.length },
    };
  };

function join(
  prefix: string,
  main: readonly TextPart[],
  mark: string,
  extras: readonly TextPart[],
): { content: string; segments: Segment[] } {
  const segments: Segment[] = [];
  let content = prefix;
  const add = (type: Segment['type'], text: string): void => {
    if (text !== '') segments.push({ type, start: content.length, end: content.length + text.length });
    content += text;
  };
  for (const { type, text } of main) add(type, text);
  add('notice', mark);
  for (const { type, text } of extras) {
    content += '\n\n';
    add(type, text);
  }
  return { content, segments };
}
