// The kinds of one turn: what the model wrote, the move it asked for, and what became of the call. Proposed, refused,
// effective and returned are separate facts and stay so.
import { z } from 'zod';
import { Json } from './lifecycle.ts';
import { Text } from './textSchema.ts';
import { Privilege, Timing } from './actor.ts';
import { Usage } from './prices.ts';
import { isRecord, tryExactJson } from '../json.ts';
import { ASK_EXPERT } from '../wire.ts';
import { defineKind, SHOWN_STEP, NOTED, searched, STEP } from './kind.ts';
import { COVERED, toolLabel, verdictIn } from './outcome.ts';

export const NativeCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
export type NativeCall = z.infer<typeof NativeCall>;

/**
 * `weight`: how much the reply counts in training, 0 for not at all. `judged`: preferred or labelled true, or rejected
 * or labelled false.
 */
export const ReplyMarks = z.strictObject({ weight: z.number().optional(), judged: z.boolean().optional() });
export type ReplyMarks = z.infer<typeof ReplyMarks>;

/** The field that a reply's reasoning came in, `content` where it stands among the words, and the model that returned it. */
export const Thought = z.strictObject({ field: z.string(), from: z.string() });
export type Thought = z.infer<typeof Thought>;

export const JsonObject = z.record(z.string(), Json);
export type JsonObject = z.infer<typeof JsonObject>;

/** The move of a turn. `malformed` is a format error the agent is told about, never a silent final answer. */
export const Move = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call_tool'), tool_name: z.string(), arguments: JsonObject }),
  z.strictObject({ type: z.literal('list_tools') }),
  z.strictObject({
    type: z.literal('ask_expert'),
    task: z.string().nullable(),
    available_tools: z.string().nullable(),
    context: z.string().nullable(),
    arguments: JsonObject,
  }),
  z.strictObject({ type: z.literal('final'), text: Text }),
  z.strictObject({ type: z.literal('malformed'), code: z.string(), detail: z.string() }),
]);
export type Move = z.infer<typeof Move>;

/** A stretch of a message the agent reads, so that advice and nudges never pass for environment output. */
export const Segment = z.strictObject({
  type: z.enum(['environment', 'fabricated', 'advice', 'nudge', 'notice', 'note']),
  start: z.number().int(),
  end: z.number().int(),
});
export type Segment = z.infer<typeof Segment>;

export const MessageOrigin = z.enum(['prompt', 'environment', 'fabricated', 'advice', 'notice', 'note']);
export type MessageOrigin = z.infer<typeof MessageOrigin>;

/** The beginning of a response where there is no native call to answer, so that it cannot pass for the user's words. */
export const RESPONSE_PREFIX = 'Tool response:\n';

/** Called by their own names in a text; every other tool through `call_tool`. */
const NAMED_ALONE: ReadonlySet<string> = new Set([ASK_EXPERT, 'list_tools', 'call_tool']);

/** A reply with its calls written into its text. Arguments stand as they were written. */
export function taggedCalls(say: string, calls: readonly Pick<NativeCall, 'name' | 'arguments'>[]): string {
  const written = calls.map(({ name, arguments: raw }) => {
    const call = `${JSON.stringify(name)},"arguments":${raw.trim() === '' ? '{}' : raw}`;
    const inner = NAMED_ALONE.has(name) ? call : `"call_tool","arguments":{"tool_name":${call}}`;
    return `<tool_call>\n{"name":${inner}}\n</tool_call>`;
  });
  // A text that was read from a file has its calls already.
  return calls.length === 0 || say.includes('<tool_call>') ? say : [say, ...written].join('\n').trimStart();
}

/**
 * The arguments of a call as a model reads them again, and a row has them: nothing, `null` and `[]` are none, as the loop
 * takes them; what is no object would make servers refuse the conversation, and stands as a text inside of one.
 */
export function argumentsAsRead(raw: string): string {
  const value = raw.trim() === '' ? null : tryExactJson(raw);
  if (isRecord(value)) return raw;
  const isNone = value === null || (Array.isArray(value) && value.length === 0);
  return isNone ? '{}' : JSON.stringify({ unreadable: raw });
}

/** Messages whose words stand in no other event: what else an agent read is a result, advice or a note. */
const ORIGINAL: ReadonlySet<string> = new Set(['prompt', 'notice']);

export const turnEvents = [
  defineKind('message.added', {
    /** What the agent reads; its own replies are `turn.generated`. */
    role: z.enum(['system', 'user', 'tool']),
    content: Text,
    origin: MessageOrigin,
    turn: z.number().int(),
    /** The native call id this answers; null in the XML protocol. */
    tool_call_id: z.string().nullable(),
    name: z.string().nullable(),
    segments: z.array(Segment),
    /** Length before a cut, in UTF-16 units; equal to the content's length when nothing was cut. */
    full_length: z.number().int(),
    /** Its words stand in no other event, though they are no prompt. */
    alone: z.literal(true).optional(),
  })({
    ...STEP,
    words: ['segments'],
    search: ({ origin, alone, content }) =>
      ORIGINAL.has(origin) || alone === true ? searched('message', [content]) : null,
  }),
  defineKind('turn.generated', {
    turn: z.number().int(),
    /**
     * A further call of the reply of this turn, which holds its words and all its calls: carried out in order, each call
     * is a turn of its own. Absent from a reply's first turn.
     */
    reply_of: z.number().int().optional(),
    content: Text,
    reasoning: Text.nullable(),
    /** How its reasoning came; absent where none did. */
    thought: Thought.optional(),
    /** The field `reasoning_details` as it came, as JSON. */
    reasoning_details: Text.optional(),
    /** The first turn whose reasoning the model was sent again, with that of each later one; absent where none was. */
    recalled: z.number().int().optional(),
    tool_calls: z.array(NativeCall),
    model: z.string().nullable(),
    stop_reason: z.string().nullable(),
    usage: Usage.nullable(),
    latency_ms: z.number().nullable(),
    /** How long a person who wrote the turn was at it; absent from an agent's. */
    timing: Timing.optional(),
    /** What a person who wrote the turn had seen of the answer; absent from an agent's. */
    privilege: Privilege.optional(),
    /** What the file says of a reply that was imported; absent where it says nothing. */
    marks: ReplyMarks.optional(),
  })({ ...STEP, words: ['tool_calls'], search: ['message', 'content', 'reasoning'], work: 'writing' }),
  defineKind('model.failed', {
    turn: z.number().int(),
    code: z.string(),
    message: z.string(),
    /** When the same request will be tried again, or null when it will not. */
    retry_in_ms: z.number().nullable(),
  })({ ...NOTED, words: ['message'] }),
  defineKind('move.proposed', {
    turn: z.number().int(),
    call: z.string(),
    move: Move,
    /** What had to be mended to read it: `unclosed_tag`, `fenced_json`, `string_arguments`, … */
    repairs: z.array(z.string()),
    /** Calls in the same reply after the first; they are not executed. */
    ignored_calls: z.number().int(),
    /** How sure the agent said it is, in [0, 1]; absent where it said nothing. */
    confidence: z.number().min(0).max(1).optional(),
    /** The call went out at once, as it was proposed; absent where a `call.sent` says what went out, or nothing did. */
    sent: z.literal(true).optional(),
  })({
    ...SHOWN_STEP,
    words: ['move'],
    search: ({ move }) =>
      move.type === 'call_tool' ? searched('call', [move.tool_name, JSON.stringify(move.arguments)]) : null,
  }),
  defineKind('call.refused', {
    call: z.string(),
    tool_name: z.string(),
    reason: z.enum(['reserved', 'unknown_tool', 'malformed', 'budget', 'condition', 'confidence']),
    text: z.string(),
  })({ ...SHOWN_STEP, words: ['text'], search: ['result', 'text'] }),
  defineKind('call.sent', {
    call: z.string(),
    tool_name: z.string(),
    arguments: JsonObject,
  })({ ...SHOWN_STEP, words: ['arguments'] }),
  defineKind('call.returned', {
    call: z.string(),
    frame: Text,
    reward_type: z.string().nullable(),
    reward: z.number().nullable(),
    done: z.boolean(),
    text: Text.nullable(),
    error: Text.nullable(),
    latency_ms: z.number().nullable(),
    /** The agent read `text` as it stands, as this message; absent where a `message.added` says what it read. */
    read: z
      .strictObject({
        role: z.enum(['user', 'tool']),
        tool_call_id: z.string().nullable(),
        name: z.string().nullable(),
      })
      .optional(),
  })({
    ...SHOWN_STEP,
    search: ['result', 'text', 'error'],
    reveals: ({ reward_type }) => verdictIn({ reward_type }),
    outcome: ({ reward_type }) => ({ frame: COVERED, reward: null, reward_type: toolLabel(reward_type) }),
  }),
] as const;
