// Owns: a record's conversation as training libraries read it: roles, tool calls, tools.
// Source: TRL's conversational formats with tools, as its page on dataset formats has them.
import type { Message } from '../../shared/episode/record.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import { ASK_EXPERT } from '../../shared/wire.ts';

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

function argumentsOf(raw: string): Record<string, unknown> {
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

const ASK_TOOL: FunctionTool = {
  type: 'function',
  function: {
    name: ASK_EXPERT,
    description: 'Ask an expert for a plan after an attempt of your own has failed.',
    parameters: {
      type: 'object',
      properties: {
        task: { type: 'string', description: 'The task as you understand it.' },
        available_tools: { type: 'string', description: 'Names of the tools you have, separated by commas.' },
        context: { type: 'string', description: 'What you tried and what came back.' },
      },
      required: ['task'],
    },
  },
};

/** The tools an episode's agent was offered, as OpenAI-style functions without the noise of generated schemas. */
export const functionTools = (tools: readonly ToolSpec[], canAsk: boolean): FunctionTool[] => [
  ...tools.map(({ name, description, input_schema }): FunctionTool => ({
    type: 'function',
    function: {
      name,
      description: (description.split('### Responses')[0] ?? '').trim(),
      parameters: withoutNoise(input_schema) as Record<string, unknown>,
    },
  })),
  ...(canAsk ? [ASK_TOOL] : []),
];

/** `example` and generated `title` keywords teach nothing; a property that is called so stays. */
function withoutNoise(schema: unknown, areNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withoutNoise(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([key, value]) => areNames || !(key === 'example' || (key === 'title' && typeof value === 'string')),
      )
      .map(([key, value]) => [key, withoutNoise(value, key === 'properties' && !areNames)]),
  );
}
