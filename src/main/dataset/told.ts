// Owns: a client's conversation as it was told, as rows read it. The wire of an environment carries no model text.
import { z } from 'zod';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Text } from '../../shared/events/text.ts';
import { argumentsOf, safeText, type ChatRow, type FunctionTool } from './chat.ts';

const Message = z.looseObject({
  role: z.string(),
  content: z
    .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
    .optional(),
  name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    )
    .nullish(),
});
const Tool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

export type Told = { messages: ChatRow[]; tools: FunctionTool[] };

/** Whether an episode is a client's whose words nobody told: it makes no rows. */
export const lacksWords = ({ tapped, conversation }: EpisodeRecord): boolean =>
  tapped !== null && conversation === null;

/** The conversation that was told, or null for an episode of our own. */
export function toldConversation(
  { tapped, conversation, tools }: EpisodeRecord,
  whole: (text: Text) => string,
): Told | null {
  if (tapped === null || conversation === null) return null;
  const messages = z.array(Message).parse(JSON.parse(whole(conversation.messages)));
  const offered =
    conversation.tools === null
      ? []
      : (z.array(Tool).safeParse(JSON.parse(whole(conversation.tools))).data ?? []);
  return {
    messages: messages.map(rowOf),
    tools:
      offered.length > 0
        ? offered.map(functionOf)
        : tools.map(({ name, description, input_schema }) => ({
            type: 'function',
            function: { name, description, parameters: input_schema },
          })),
  };
}

const functionOf = ({ function: { name, description, parameters } }: z.infer<typeof Tool>): FunctionTool => ({
  type: 'function',
  function: { name, description: description ?? '', parameters: parameters ?? {} },
});

function rowOf(message: z.infer<typeof Message>): ChatRow {
  const { role, content, tool_calls: calls } = message;
  const text =
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
  const row: ChatRow = { role, content: safeText(text) };
  if (role === 'assistant' && calls && calls.length > 0) {
    return {
      ...row,
      tool_calls: calls.map(({ id, function: { name, arguments: args } }, i) => ({
        id: id ?? `call_${String(i)}`,
        type: 'function',
        function: { name, arguments: argumentsOf(args) },
      })),
    };
  }
  if (role !== 'tool') return row;
  return { ...row, tool_call_id: message.tool_call_id ?? '', name: message.name ?? '' };
}
