// One request as an OpenAI-compatible server takes it, and what this server turned out not to take.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import type { ApiProblem } from './failures.ts';
import type { ChatMessage, LlmRequest } from './port.ts';

/** What a server was found not to accept. Learned from its own refusals, kept for the life of a client. */
type Quirks = {
  dropped: readonly string[];
  tokensName: 'max_tokens' | 'max_completion_tokens';
  mustStream: boolean;
};
export const NO_QUIRKS: Quirks = { dropped: [], tokensName: 'max_tokens', mustStream: false };

/** Fields a server may lack; a request means the same without them. */
const DROPPABLE = ['temperature', 'seed', 'stream_options'] as const;

export type CompletionRequest = Record<string, unknown> & { model: string; messages: unknown[] };

export function requestBody(
  config: ModelConfig,
  request: LlmRequest,
  quirks: Quirks,
  isStream: boolean,
): CompletionRequest {
  const tools = request.tools ?? [];
  const fields: Record<string, unknown> = {
    temperature: request.temperature,
    seed: request.seed,
    [quirks.tokensName]: request.maxOutputTokens,
    tools: tools.length === 0 ? null : tools.map(functionTool),
    stream: isStream ? true : null,
    stream_options: isStream ? { include_usage: true } : null,
  };
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== null && !quirks.dropped.includes(name),
  );
  return { model: config.model, messages: request.messages.map(chatMessage), ...Object.fromEntries(kept) };
}

/** What a refusal teaches about the server, or null when it names nothing we could send differently. */
export function learn(quirks: Quirks, body: CompletionRequest, problem: ApiProblem): Quirks | null {
  if (problem.status !== 400 && problem.status !== 422) return null;
  const names = (field: string): boolean =>
    problem.param === field || new RegExp(`\\b${field}\\b`).test(problem.message);
  if (names('max_tokens') && Object.hasOwn(body, 'max_tokens') && quirks.tokensName === 'max_tokens') {
    return { ...quirks, tokensName: 'max_completion_tokens' };
  }
  if (
    body['stream'] === undefined &&
    /\bstream\b/.test(problem.message) &&
    /only|must|enable|require/i.test(problem.message)
  ) {
    return { ...quirks, mustStream: true };
  }
  const unwanted = DROPPABLE.find((field) => Object.hasOwn(body, field) && names(field));
  return unwanted === undefined ? null : { ...quirks, dropped: [...quirks.dropped, unwanted] };
}

const functionTool = ({ name, description, input_schema }: ToolSpec): unknown => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: Object.keys(input_schema).length === 0 ? { type: 'object', properties: {} } : input_schema,
  },
});

function chatMessage(message: ChatMessage): unknown {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.toolCalls.length === 0
          ? {}
          : {
              tool_calls: message.toolCalls.map(({ id, name, arguments: written }) => ({
                id,
                type: 'function',
                function: { name, arguments: written },
              })),
            }),
      };
  }
}
