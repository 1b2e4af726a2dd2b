// Owns: a record's conversation as training libraries read it: roles, tool calls, tools.
// Source: TRL's conversational formats with tools, as its page on dataset formats has them.
import type { Message } from '../../shared/episode/record.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';

export type ToolCall = {
  id: string;
  type: 'function';
  function: { name: string; arguments: Record<string, unknown> };
};
export type ChatRow = {
  role: string;
  /** Never null: some chat templates print the word. */
  content: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  name?: string;
};
export type FunctionTool = {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

/** Messages in TRL's shape. Calls of a turn after the first were never carried out and are left out. */
export function chatRows(messages: readonly Message[], whole: (text: Text) => string): ChatRow[] {
  return messages.map((message) => {
    const row: ChatRow = { role: message.role, content: safeText(whole(message.content)) };
    if (message.role === 'assistant') {
      const calls = toolCalls(message);
      return calls.length === 0 ? row : { ...row, tool_calls: calls };
    }
    if (message.role !== 'tool') return row;
    return { ...row, tool_call_id: message.toolCallId ?? '', name: message.name ?? '' };
  });
}

const toolCalls = ({ toolCalls: [first] }: Message): ToolCall[] =>
  first === undefined
    ? []
    : [
        {
          id: first.id,
          type: 'function',
          function: { name: first.name, arguments: argumentsOf(first.arguments) },
        },
      ];

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

/** Lone surrogates break Arrow. */
export const safeText = (text: string): string => text.toWellFormed();

/** Tools as OpenAI-style functions, exactly as the agent was offered them. */
export const functionTools = (tools: readonly ToolSpec[]): FunctionTool[] =>
  tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, description, parameters: input_schema },
  }));
