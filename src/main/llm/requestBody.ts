// One request as an OpenAI-compatible server takes it, and what this server turned out not to take.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import { type ApiProblem, modelIdentity } from './failures.ts';
import type { ChatMessage, EarlierThought, LlmRequest } from './port.ts';

/** Things a server was found not to accept. Learned from its own refusals, kept for the life of a client. */
type Quirks = {
  dropped: readonly string[];
  tokensName: 'max_tokens' | 'max_completion_tokens';
  mustStream: boolean;
};
export const NO_QUIRKS: Quirks = { dropped: [], tokensName: 'max_tokens', mustStream: false };

/** Fields a server may lack; a request means the same without them. */
const DROPPABLE = ['temperature', 'seed', 'stream_options'] as const;

/** Fields that servers return reasoning in. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;
/** Stands among what is dropped for the reasoning of earlier replies. */
const EARLIER_THOUGHTS = 'earlier thoughts';

/** Reasoning goes back to the model that returned it, unless a person or its server wants none. */
export const thoughtsSent = (config: ModelConfig, request: LlmRequest, quirks: Quirks): EarlierThought[] =>
  config.reasoning === 'off' || quirks.dropped.includes(EARLIER_THOUGHTS)
    ? []
    : request.messages.flatMap((message) =>
        message.role === 'assistant' && message.thought?.from === modelIdentity(config)
          ? [message.thought]
          : [],
      );

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
  const sent = new Set(thoughtsSent(config, request, quirks));
  return {
    model: config.model,
    messages: request.messages.map((message) => chatMessage(message, sent)),
    ...Object.fromEntries(kept),
  };
}

/** Learns about the server from a refusal; null when it names nothing we could send differently. */
export function learn(quirks: Quirks, body: CompletionRequest, problem: ApiProblem): Quirks | null {
  if (problem.status !== 400 && problem.status !== 422) return null;
  const names = (field: string): boolean =>
    new RegExp(`\\b${field}\\b`).test(`${problem.param} ${problem.message}`);
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
  const thought = THOUGHT_FIELDS.find(
    (field) => names(field) && body.messages.some((one) => isRecord(one) && Object.hasOwn(one, field)),
  );
  // Some servers want it back, and say so of a message that has none.
  const isRefused =
    thought !== undefined && !/missing|must be (?:passed|provided|included)/i.test(problem.message);
  const unwanted =
    DROPPABLE.find((field) => Object.hasOwn(body, field) && names(field)) ??
    (isRefused ? EARLIER_THOUGHTS : undefined);
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

function chatMessage(message: ChatMessage, sent: ReadonlySet<EarlierThought>): unknown {
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
        ...(message.thought !== undefined && sent.has(message.thought) ? thoughtField(message.thought) : {}),
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

const thoughtField = ({ field, value }: EarlierThought): Record<string, unknown> => ({
  [field]: field === 'reasoning_details' ? parseJson(value) : value,
});
