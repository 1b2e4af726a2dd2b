// Turns a list of messages into an episode: prompts, turns, calls, and the results that answer them.
import { type EpisodeBuilder, NO_RESULT, type ImportedResult } from './episodeBuilder.ts';
import {
  createTimes,
  firstText,
  firstValue,
  recordFrom,
  listFrom,
  numberFrom,
  ownValue,
  textFrom,
  timeFrom,
  textFromAny,
  trainingWeight,
} from './values.ts';
import { taggedJson } from '../../../shared/between.ts';
import type { NativeCall, ReplyMarks } from '../../../shared/events/turns.ts';
import { parseJson } from '../../../shared/json.ts';
import { nativeCall } from './moves.ts';
import type { ImportNotes } from './importNotes.ts';

/** Facts of a tool message beside its text. */
export type KnownCallResult = Partial<Omit<ImportedResult, 'read'>>;
/** Facts of a turn beside its message. */
export type KnownTurn = {
  at?: number | null;
  latency_ms?: number | null;
  stopReason?: string | null;
  model?: string | null;
  usage?: { input_tokens: number | null; output_tokens: number | null } | null;
};

type ConversationOptions = {
  pointer: string;
  model?: string | null;
  resultOf?: (message: ImportedMessage, index: number) => KnownCallResult;
  turnOf?: (message: ImportedMessage) => KnownTurn;
  /** What the record says of a reply by its place. */
  marksOf?: (index: number) => ReplyMarks;
  /** What the model was shown of a result, where that is not the message's own text. */
  shownOf?: (message: ImportedMessage) => string;
};

type HeardMessage = {
  task: string | null;
  usesTags: boolean;
  hasCalls: boolean;
  model: string | null;
};

/** Tells the messages in their order; says what the first person asked for, and how calls were written. */
export function addConversation(
  builder: EpisodeBuilder,
  raws: readonly unknown[],
  {
    pointer,
    model = null,
    resultOf = () => ({}),
    turnOf = () => ({}),
    marksOf = () => ({}),
    shownOf = ownText,
  }: ConversationOptions,
): HeardMessage {
  const heard: HeardMessage = { task: null, usesTags: false, hasCalls: false, model };
  let results = 0;
  const times = createTimes(builder.notes);
  const messages = raws.flatMap((raw, place) => {
    const here = `${pointer}/${String(place)}`;
    times.read(writtenTime(raw), here);
    const marks = withWrittenWeight(marksOf(place), raw);
    return chatMessages(raw, here, builder.notes).map((message) => ({ message, raw, marks, pointer: here }));
  });
  for (const { message, raw, marks, pointer: here } of inCallOrder(messages, builder)) {
    if (message.role === 'assistant') {
      heard.model ??= message.model;
      heard.usesTags ||= message.isTagged;
      heard.hasCalls ||= message.calls.length > 0;
      const known = turnOf(message);
      builder.turn({
        content: message.content,
        reasoning: message.reasoning,
        calls: message.calls,
        pointer: here,
        stopReason: null,
        latency_ms: null,
        usage: tokenUsage(raw),
        ...(Object.keys(marks).length === 0 ? {} : { marks }),
        ...known,
        model: known.model ?? message.model ?? model,
        at: message.at ?? known.at ?? null,
      });
    } else if (message.role === 'tool' || answersTag(builder, message, heard)) {
      addToolMessage(builder, message, { ...resultOf(message, results), shown: shownOf(message) });
      results += 1;
    } else {
      if (message.role === 'user') heard.task ??= message.content;
      builder.message(message.role, message.content, message.at);
    }
  }
  return heard;
}

type PendingMessage = { message: ImportedMessage; raw: unknown; marks: ReplyMarks; pointer: string };

/** With how much the message, its metadata or a part of it says that it trains: what is least counts. */
function withWrittenWeight(marks: ReplyMarks, raw: unknown): ReplyMarks {
  const parts = listFrom(firstValue(raw, 'content', 'value', 'message', 'parts'));
  const weights = [raw, ownValue(raw, 'metadata'), ...parts].flatMap((one) => trainingWeight(one) ?? []);
  return weights.length === 0 ? marks : { ...marks, weight: Math.min(marks.weight ?? Infinity, ...weights) };
}

/** Results of one reply's calls in the order of the calls: harnesses that run them at once record them as they come. */
function inCallOrder(all: readonly PendingMessage[], { notes }: EpisodeBuilder): PendingMessage[] {
  const ordered: PendingMessage[] = [];
  for (let at = 0; at < all.length;) {
    const one = all[at];
    if (one === undefined) break;
    ordered.push(one);
    at += 1;
    const ids = one.message.calls.map(({ id }) => id);
    if (ids.length < 2) continue;
    let end = at;
    while (all[end]?.message.role === 'tool') end += 1;
    const results = all.slice(at, end);
    const place = ({ message }: PendingMessage): number => {
      const index = ids.indexOf(message.toolCallId ?? '');
      return index === -1 ? ids.length : index;
    };
    const sorted = results.toSorted((a, b) => place(a) - place(b));
    if (sorted.some((result, index) => result !== results[index]))
      notes.note('order_of_results', 'results came in another order than the calls');
    ordered.push(...sorted);
    at += results.length;
  }
  return ordered;
}

/** The next user message is the result of calls written into the text. */
const answersTag = (builder: EpisodeBuilder, message: ImportedMessage, heard: HeardMessage): boolean =>
  message.role === 'user' && heard.usesTags && builder.waiting().length > 0;

const ownText = ({ content }: ImportedMessage): string => content;

function addToolMessage(
  builder: EpisodeBuilder,
  message: ImportedMessage,
  { shown, ...known }: KnownCallResult & { shown: string },
): void {
  const waiting = builder.waiting();
  const id = message.toolCallId !== null && waiting.includes(message.toolCallId) ? message.toolCallId : null;
  const isOther = message.toolCallId !== null && id === null && waiting.some((one) => one !== '');
  if (waiting.length === 0 || isOther) {
    builder.stray(shown, message.name, message.at);
    return;
  }
  builder.result(id, {
    ...NO_RESULT,
    text:
      message.error === null ? message.content : message.error === message.content ? null : message.content,
    error: message.error,
    ...known,
    at: message.at ?? known.at ?? null,
    read: { text: shown, name: message.name, role: message.role === 'user' ? 'user' : 'tool' },
  });
}

export type ImportedMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  reasoning: string | null;
  calls: NativeCall[];
  toolCallId: string | null;
  name: string | null;
  error: string | null;
  model: string | null;
  at: number | null;
  /** The call was written into the text, not beside it. */
  isTagged: boolean;
  id: string | null;
};

const ROLE_NAMES: Readonly<Record<string, ImportedMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  gpt: 'assistant',
  model: 'assistant',
  ai: 'assistant',
  function_call: 'assistant',
  tool: 'tool',
  function: 'tool',
  ipython: 'tool',
  observation: 'tool',
  tool_response: 'tool',
  function_response: 'tool',
  toolresult: 'tool',
};

/** The facts of a message; Anthropic's tool results inside a user message become messages of their own. */
export function chatMessages(raw: unknown, pointer: string, notes: ImportNotes): ImportedMessage[] {
  const written = (firstText(raw, 'role', 'from', 'type') ?? '').toLowerCase();
  const role = Object.hasOwn(ROLE_NAMES, written) ? ROLE_NAMES[written] : undefined;
  if (role === undefined) {
    notes.skip('unknown_role', `a message of an unknown role: ${written.slice(0, 40) || 'none'}`, pointer);
    return [];
  }
  // Gemini has its parts under a name of their own.
  const given = firstValue(raw, 'content', 'value', 'message', 'parts');
  const parts = messageContent(given, pointer, notes);
  const calls = written === 'function_call' ? shareGptCalls(given) : [...beside(raw), ...parts.calls];
  const fenced = ownValue(raw, 'written_call');
  const inText =
    fenced === undefined
      ? taggedCalls(parts.text)
      : [nativeCall('', textFrom(ownValue(fenced, 'name')) ?? '', ownValue(fenced, 'arguments'))];
  const tagged = role === 'assistant' && calls.length === 0 ? inText : [];
  const message: ImportedMessage = {
    role,
    content: written === 'function_call' ? '' : parts.text,
    reasoning: reasoningOf(raw) ?? parts.reasoning,
    calls: role === 'assistant' ? [...calls, ...tagged] : [],
    toolCallId: answeredCallId(raw),
    name: firstText(raw, 'name', 'function', 'toolName'),
    error: ownValue(raw, 'isError') === true ? parts.text : errorOf(ownValue(raw, 'error')),
    model: textFrom(ownValue(raw, 'model')),
    at: timeFrom(writtenTime(raw)),
    isTagged: tagged.length > 0,
    id: textFrom(ownValue(raw, 'id')),
  };
  const isOnlyResults = parts.results.length > 0 && parts.text === '';
  return [...parts.results.map((result) => ({ ...message, ...result })), ...(isOnlyResults ? [] : [message])];
}

/** The time beside a message, as it is written. */
const writtenTime = (raw: unknown): unknown =>
  ownValue(raw, 'timestamp') ?? ownValue(raw, 'created_at') ?? ownValue(ownValue(raw, 'extra'), 'timestamp');

const answeredCallId = (raw: unknown): string | null =>
  firstText(raw, 'tool_call_id', 'toolCallId') ?? textFrom(listFrom(ownValue(raw, 'tool_call_ids'))[0]);

const reasoningOf = (raw: unknown): string | null =>
  ['reasoning_content', 'reasoningContent', 'reasoning', 'thinking']
    .map((key) => textFrom(ownValue(raw, key)))
    .find((text) => text !== null && text !== '') ?? null;

const errorOf = (error: unknown): string | null =>
  error === null || error === undefined ? null : (textFrom(ownValue(error, 'message')) ?? textFromAny(error));

/** Calls that stand beside the text: OpenAI's shape, the flat one, Inspect's, the deprecated single one. */
function beside(raw: unknown): NativeCall[] {
  const old = firstValue(raw, 'function_call');
  const list = listFrom(firstValue(raw, 'tool_calls', 'toolCalls'));
  return [...list, ...(old === undefined ? [] : [{ function: old }])].map((call) => {
    const inner = ownValue(call, 'function');
    const name = textFrom(inner) ?? firstText(inner, 'name') ?? firstText(call, 'name') ?? '';
    const args = firstValue(inner, 'arguments') ?? firstValue(call, 'arguments', 'input', 'args');
    return nativeCall(firstText(call, 'id', 'tool_call_id') ?? '', name, args);
  });
}

type MessageContent = {
  text: string;
  reasoning: string | null;
  calls: NativeCall[];
  results: Pick<ImportedMessage, 'role' | 'content' | 'toolCallId' | 'name' | 'error' | 'calls'>[];
};

function messageContent(content: unknown, pointer: string, notes: ImportNotes): MessageContent {
  if (!Array.isArray(content)) {
    return { text: textFromAny(content), reasoning: null, calls: [], results: [] };
  }
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: NativeCall[] = [];
  const results: MessageContent['results'] = [];
  for (const part of listFrom(content)) {
    const type = textFrom(ownValue(part, 'type')) ?? (typeof part === 'string' ? 'bare' : 'text');
    if (type === 'bare') {
      texts.push(textFromAny(part));
      continue;
    }
    if (type === 'thinking' || type === 'reasoning') {
      thoughts.push(
        textFrom(ownValue(part, type)) ??
          textOfPart(part, pointer, notes) ??
          textFrom(ownValue(part, 'summary')) ??
          '',
      );
      continue;
    }
    const call = callOfPart(part, type);
    const result = resultOfPart(part, type);
    if (call !== null) calls.push(...call);
    else if (result !== null) {
      const inner = messageContent(result.given, pointer, notes).text;
      const { toolCallId, name, isError } = result;
      results.push({
        role: 'tool',
        content: inner,
        toolCallId,
        name,
        error: isError ? inner : null,
        calls: [],
      });
    } else {
      const text = MEDIA.test(type) ? textFrom(ownValue(part, 'text')) : textOfPart(part, pointer, notes);
      if (text !== null) texts.push(text);
      else {
        notes.note(
          'media',
          `a part that is no text (${type.slice(0, 40)}) is shown by its name only`,
          pointer,
        );
        texts.push(`[${type}]`);
      }
    }
  }
  return {
    text: texts.join('\n'),
    reasoning: thoughts.length === 0 ? null : thoughts.join('\n'),
    calls,
    results,
  };
}

/**
 * A part that is a call: Anthropic's `tool_use`, Vercel's `tool-call`, Pi's `toolCall`, LLaMA-Factory's `tool_call`, or
 * the one field of a part of Bedrock's and Gemini's.
 */
function callOfPart(part: unknown, type: string): NativeCall[] | null {
  const written = ownValue(part, 'value');
  if (type === 'tool_call' && typeof written === 'string') return shareGptCalls(written);
  const wrapped = firstValue(part, 'toolUse', 'functionCall');
  const call = wrapped ?? (CALL_PARTS.has(type) ? part : undefined);
  const args = firstValue(call, 'input', 'args', 'arguments');
  if (wrapped === undefined && args === undefined) return null;
  const id = firstText(call, 'id', 'toolCallId', 'toolUseId') ?? '';
  return [nativeCall(id, firstText(call, 'name', 'toolName') ?? '', args ?? {})];
}

const CALL_PARTS: ReadonlySet<string> = new Set(['tool_use', 'tool-call', 'toolCall', 'tool_call']);
const RESULT_PARTS: ReadonlySet<string> = new Set(['tool_result', 'tool-result', 'toolResult']);

/** A part that is what a call gave, in the same dialects. */
function resultOfPart(part: unknown, type: string) {
  const wrapped = firstValue(part, 'toolResult', 'functionResponse');
  const result = wrapped ?? (RESULT_PARTS.has(type) ? part : undefined);
  if (result === undefined) return null;
  return {
    given: firstValue(result, 'content', 'result', 'output', 'response'),
    toolCallId: firstText(result, 'tool_use_id', 'toolCallId', 'toolUseId', 'id'),
    name: firstText(result, 'toolName', 'name'),
    isError: firstValue(result, 'is_error', 'isError') === true || ownValue(result, 'status') === 'error',
  };
}

const MEDIA = /image|audio|video|file|document|media/i;
/** Keys of a part's text, by dialects; `text` may hold an object with a `value` (OpenAI's assistants). */
const PART_TEXTS = ['text', 'content', 'value', 'output_text', 'input_text', 'refusal'];

function textOfPart(part: unknown, pointer: string, notes: ImportNotes): string | null {
  for (const key of PART_TEXTS) {
    const given = ownValue(part, key);
    const text = textFrom(given) ?? textFrom(ownValue(given, 'value'));
    if (text !== null) return text;
    if (Array.isArray(given)) return messageContent(given, pointer, notes).text;
  }
  return null;
}

/** `from: "function_call"` holds the call as JSON text, or a list of them; what is neither is kept as its arguments. */
function shareGptCalls(value: unknown): NativeCall[] {
  const words = textFromAny(value);
  try {
    const given = parseJson(words);
    const all = Array.isArray(given) ? (given as unknown[]) : [given];
    const calls = all.map((one) => ({
      name: textFrom(ownValue(one, 'name')),
      args: ownValue(one, 'arguments'),
    }));
    if (calls.length > 0 && calls.every(({ name }) => name !== null))
      return calls.map(({ name, args }) => nativeCall('', name ?? '', args));
  } catch {
    // It is no JSON.
  }
  return [nativeCall('', '', words)];
}

/** Calls written into the text as `<tool_call>{…}</tool_call>`; what is no JSON stays text. */
function taggedCalls(text: string): NativeCall[] {
  if (!text.includes('<tool_call>')) return [];
  return taggedJson(text).flatMap((json) => {
    try {
      const call = recordFrom(parseJson(json));
      const name = textFrom(call['name']);
      return name === null ? [] : [nativeCall('', name, call['arguments'] ?? call['parameters'])];
    } catch {
      return [];
    }
  });
}

/** Token counts, wherever a message carries them. */
function tokenUsage(raw: unknown): { input_tokens: number | null; output_tokens: number | null } | null {
  const usage = ownValue(raw, 'usage') ?? ownValue(ownValue(raw, 'metrics'), 'usage');
  const input = numberFrom(ownValue(usage, 'input_tokens') ?? ownValue(usage, 'prompt_tokens'));
  const output = numberFrom(ownValue(usage, 'output_tokens') ?? ownValue(usage, 'completion_tokens'));
  return input === null && output === null ? null : { input_tokens: input, output_tokens: output };
}
