// A client's own request as the advisor's model reads it: the client's messages as they came, criteria included. Must
// not know: HTTP, or which client it was.
import { z } from 'zod';
import { tryJson } from '../../shared/json.ts';
import type { CoveredSpan } from '../../shared/events/consultations.ts';
import { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import type { ChatMessage } from '../llm/port.ts';

export type ClientBrief = {
  messages: ChatMessage[];
  tools: ToolSpec[];
  temperature: number | null;
  seed: number | null;
  isAnalysis: boolean;
};

const ClientMessage = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  name: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .nullish(),
});
const ClientRequest = z.looseObject({
  messages: z.array(ClientMessage),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).nullish(),
  temperature: z.number().nullish(),
  seed: z.number().int().nullish(),
});

type AskedText = {
  request: Text | null;
  covered: readonly CoveredSpan[];
  purpose: 'advice' | 'analysis';
};

/** The client's request to the model behind its base URL, or null where the ask was no chat. */
export function clientBrief(
  { request, covered, purpose }: AskedText,
  loadText: (text: Text) => string,
): ClientBrief | null {
  if (request === null) return null;
  const kept = ClientRequest.safeParse(tryJson(revealCovered(loadText(request), covered, loadText)));
  if (!kept.success) return null;
  const { messages, tools, temperature, seed } = kept.data;
  return {
    messages: messages.map(plainMessage),
    tools: (tools ?? []).flatMap((tool) => toolSpec(tool.function) ?? []),
    temperature: temperature ?? null,
    seed: seed ?? null,
    isAnalysis: purpose === 'analysis',
  };
}

/** The request as JSON with what was covered put back. */
function revealCovered(
  request: string,
  covered: readonly CoveredSpan[],
  loadText: (text: Text) => string,
): string {
  return covered
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (json, { start, end, text }) =>
        text === null
          ? json
          : json.slice(0, start) + JSON.stringify(loadText(text)).slice(1, -1) + json.slice(end),
      request,
    );
}

/** Calls and their results become words: the advisor is offered no tools, and some servers refuse one without the other. */
function plainMessage({
  role,
  content,
  name,
  tool_calls: calls,
}: z.infer<typeof ClientMessage>): ChatMessage {
  const text = messageText(content);
  if (role === 'system' || role === 'developer') return { role: 'system', content: text };
  if (role !== 'assistant') {
    return { role: 'user', content: role === 'user' ? text : `Response of ${name ?? 'the tool'}:\n${text}` };
  }
  const called = (calls ?? []).map(({ function: { name: tool, arguments: args } }) => `${tool}(${args})`);
  return { role, content: [text, ...called].filter((part) => part !== '').join('\n'), toolCalls: [] };
}

/** The words of a message's content, which may come in parts. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? part.text
        : '',
    )
    .join('\n');
}

function toolSpec(tool: Record<string, unknown> | undefined): ToolSpec | null {
  if (tool === undefined) return null;
  const read = ToolSpec.safeParse({
    name: tool['name'],
    description: tool['description'] ?? '',
    input_schema: tool['parameters'] ?? {},
  });
  return read.success ? read.data : null;
}
