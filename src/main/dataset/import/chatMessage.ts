// Owns: one message of a conversation in the dialects files have, as plain facts.
import type { NativeCall } from '../../../shared/events/turns.ts';
import { nativeCall } from './moves.ts';
import type { Notes } from './notes.ts';
import { fieldsOf, listOf, numberOf, own, textOf, timeOf, wordsOf } from './values.ts';

export type ChatMessage = {
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

const ROLES: Readonly<Record<string, ChatMessage['role']>> = {
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
};

/** The facts of a message; Anthropic's tool results inside a user message become messages of their own. */
export function chatMessages(raw: unknown, pointer: string, notes: Notes): ChatMessage[] {
  const written = (textOf(own(raw, 'role')) ?? textOf(own(raw, 'from')) ?? '').toLowerCase();
  const role = Object.hasOwn(ROLES, written) ? ROLES[written] : undefined;
  if (role === undefined) {
    notes.skip('unknown_role', `a message of an unknown role: ${written.slice(0, 40) || 'none'}`, pointer);
    return [];
  }
  const given = own(raw, 'content') ?? own(raw, 'value') ?? own(raw, 'message');
  const parts = partsOf(given, pointer, notes);
  const calls = written === 'function_call' ? shareGptCalls(given) : [...beside(raw), ...parts.calls];
  const fenced = own(raw, 'written_call');
  const inText =
    fenced === undefined
      ? taggedCalls(parts.text)
      : [nativeCall('', textOf(own(fenced, 'name')) ?? '', own(fenced, 'arguments'))];
  const tagged = role === 'assistant' && calls.length === 0 ? inText : [];
  const message: ChatMessage = {
    role,
    content: written === 'function_call' ? '' : parts.text,
    reasoning: reasoningOf(raw) ?? parts.reasoning,
    calls: role === 'assistant' ? [...calls, ...tagged] : [],
    toolCallId: idOf(raw),
    name: textOf(own(raw, 'name')) ?? textOf(own(raw, 'function')),
    error: errorOf(own(raw, 'error')),
    model: textOf(own(raw, 'model')),
    at: timeOf(writtenTime(raw)),
    isTagged: tagged.length > 0,
    id: textOf(own(raw, 'id')),
  };
  const isOnlyResults = parts.results.length > 0 && parts.text === '';
  return [...parts.results.map((result) => ({ ...message, ...result })), ...(isOnlyResults ? [] : [message])];
}

/** The time beside a message, as it is written. */
export const writtenTime = (raw: unknown): unknown =>
  own(raw, 'timestamp') ?? own(raw, 'created_at') ?? own(own(raw, 'extra'), 'timestamp');

const idOf = (raw: unknown): string | null =>
  textOf(own(raw, 'tool_call_id')) ??
  textOf(own(raw, 'toolCallId')) ??
  textOf(listOf(own(raw, 'tool_call_ids'))[0]);

const reasoningOf = (raw: unknown): string | null => {
  for (const key of ['reasoning_content', 'reasoningContent', 'reasoning', 'thinking']) {
    const text = textOf(own(raw, key));
    if (text !== null && text !== '') return text;
  }
  return null;
};

const errorOf = (error: unknown): string | null =>
  error === null || error === undefined ? null : (textOf(own(error, 'message')) ?? wordsOf(error));

/** Calls that stand beside the text: OpenAI's shape, the flat one, Inspect's, the deprecated single one. */
function beside(raw: unknown): NativeCall[] {
  const old = own(raw, 'function_call');
  const list = listOf(own(raw, 'tool_calls') ?? own(raw, 'toolCalls'));
  return [...list, ...(old === null || old === undefined ? [] : [{ function: old }])].map((call) => {
    const inner = own(call, 'function');
    const name = textOf(inner) ?? textOf(own(inner, 'name')) ?? textOf(own(call, 'name')) ?? '';
    const args = own(inner, 'arguments') ?? own(call, 'arguments') ?? own(call, 'input') ?? own(call, 'args');
    return nativeCall(textOf(own(call, 'id')) ?? textOf(own(call, 'tool_call_id')) ?? '', name, args);
  });
}

type Parts = {
  text: string;
  reasoning: string | null;
  calls: NativeCall[];
  results: Pick<ChatMessage, 'role' | 'content' | 'toolCallId' | 'error' | 'calls'>[];
};

function partsOf(content: unknown, pointer: string, notes: Notes): Parts {
  if (!Array.isArray(content)) {
    return { text: wordsOf(content), reasoning: null, calls: [], results: [] };
  }
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: NativeCall[] = [];
  const results: Parts['results'] = [];
  for (const part of listOf(content)) {
    const type = textOf(own(part, 'type')) ?? (typeof part === 'string' ? 'bare' : 'text');
    if (type === 'bare') texts.push(wordsOf(part));
    else if (type === 'thinking' || type === 'reasoning') {
      thoughts.push(
        textOf(own(part, type)) ?? textOf(own(part, 'text')) ?? textOf(own(part, 'summary')) ?? '',
      );
    } else if (type === 'tool_use' && own(part, 'input') !== undefined) {
      calls.push(
        nativeCall(textOf(own(part, 'id')) ?? '', textOf(own(part, 'name')) ?? '', own(part, 'input')),
      );
    } else if (type === 'tool_result') {
      const inner = partsOf(own(part, 'content'), pointer, notes).text;
      results.push({
        role: 'tool',
        content: inner,
        toolCallId: textOf(own(part, 'tool_use_id')),
        error: own(part, 'is_error') === true ? inner : null,
        calls: [],
      });
    } else {
      const text = textOf(own(part, 'text'));
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

/** `from: "function_call"` holds the call as JSON text, or a list of them; what is neither is kept as its arguments. */
function shareGptCalls(value: unknown): NativeCall[] {
  const words = wordsOf(value);
  try {
    const given: unknown = JSON.parse(words);
    const all = Array.isArray(given) ? (given as unknown[]) : [given];
    const calls = all.map((one) => ({ name: textOf(own(one, 'name')), args: own(one, 'arguments') }));
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
  return [...text.matchAll(/<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g)].flatMap(([, json = '']) => {
    try {
      const call = fieldsOf(JSON.parse(json));
      const name = textOf(call['name']);
      return name === null ? [] : [nativeCall('', name, call['arguments'] ?? call['parameters'])];
    } catch {
      return [];
    }
  });
}

/** Token counts, wherever a message carries them. */
export function usageOf(raw: unknown): { input_tokens: number | null; output_tokens: number | null } | null {
  const usage = own(raw, 'usage') ?? own(own(raw, 'metrics'), 'usage');
  const input = numberOf(own(usage, 'input_tokens') ?? own(usage, 'prompt_tokens'));
  const output = numberOf(own(usage, 'output_tokens') ?? own(usage, 'completion_tokens'));
  return input === null && output === null ? null : { input_tokens: input, output_tokens: output };
}
