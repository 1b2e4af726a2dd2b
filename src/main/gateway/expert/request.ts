// Reads a chat completion request to a person: each field is honoured, or refused by name.
import { z } from 'zod';
import { isRecord, tryJson } from '../../../shared/json.ts';
import { checkValue } from '../../../shared/schema/checkValue.ts';
import { bad, type ExpertRefusal } from './body.ts';
const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  z.null(),
]);
const ChatRequestMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: Content.optional(),
  name: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
      }),
    )
    .nullish(),
});
const ChatTool = z.looseObject({
  type: z.string(),
  function: z
    .looseObject({ name: z.string(), description: z.string().nullish(), parameters: z.unknown().optional() })
    .optional(),
});

const ChatBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(ChatRequestMessage).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  seed: z.number().int().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().int().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  tools: z.array(ChatTool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
  function_call: z.union([z.string(), z.looseObject({})]).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  modalities: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type ChatBody = z.infer<typeof ChatBody>;
type ChatMessageIn = z.infer<typeof ChatRequestMessage>;

export type ChatAsk = {
  body: Record<string, unknown>;
  messages: ChatMessageIn[];
  /** The name the client called the model by. */
  model: string;
  isStream: boolean;
  includesUsage: boolean;
  stop: string[];
  /** Most tokens of the answer; null for no limit. */
  maxTokens: number | null;
  toolNames: string[];
  metadata: Record<string, unknown>;
  format: AnswerFormat;
  /** Fields that mean nothing to a person and are passed over. */
  ignored: string[];
};

/** Of these the person, the draft or the answer's form makes use. Any other field is named as passed over. */
const HONOURED: ReadonlySet<string> = new Set([...Object.keys(ChatBody.shape), 'functions', 'user']);

/** The request, or the first thing about it that cannot be honoured. */
export function readChat(value: unknown): ChatAsk | ExpertRefusal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad(null, 'the body must be a JSON object', 'invalid_type');
  }
  const parsed = ChatBody.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = paramPath(issue?.path ?? []);
    return bad(param, `${param ?? 'body'}: ${issue?.message ?? 'is not valid'}`, 'invalid_type');
  }
  const body = parsed.data;
  const refused = bodyRefusal(body);
  if (refused !== null) return refused;
  const format = answerFormat(body.response_format ?? null);
  if ('status' in format) return format;
  const raw = value as Record<string, unknown>;
  return {
    body: raw,
    messages: body.messages,
    model: body.model,
    isStream: body.stream ?? false,
    includesUsage: body.stream_options?.include_usage ?? false,
    stop: stopSequences(body.stop ?? null),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    toolNames: (body.tools ?? []).flatMap((tool) => tool.function?.name ?? []),
    metadata: body.metadata ?? {},
    format,
    ignored: Object.keys(raw).filter((name) => !HONOURED.has(name) && raw[name] !== null),
  };
}

const stopSequences = (stop: string | string[] | null): string[] =>
  (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((one) => one !== '');

const paramPath = (path: readonly PropertyKey[]): string | null =>
  path.length === 0
    ? null
    : path
        .map((step, i) =>
          typeof step === 'number' ? `[${String(step)}]` : `${i === 0 ? '' : '.'}${String(step)}`,
        )
        .join('');

const isAuto = (choice: unknown): boolean =>
  choice === null || choice === undefined || choice === 'auto' || choice === 'none';

function bodyRefusal(body: ChatBody): ExpertRefusal | null {
  if ((body.n ?? 1) !== 1) return bad('n', 'n must be 1: an expert answers a question once');
  if (body.logprobs === true || (body.top_logprobs ?? 0) > 0) {
    return bad('logprobs', 'logprobs are not known: a person’s words have none');
  }
  if (Object.keys(body.logit_bias ?? {}).length > 0) {
    return bad('logit_bias', 'logit_bias cannot be applied to a person’s words');
  }
  if (!isAuto(body.tool_choice)) {
    return bad(
      'tool_choice',
      'the expert answers in words and calls no tool: tool_choice must be auto or none',
    );
  }
  if (!isAuto(body.function_call)) {
    return bad('function_call', 'the expert answers in words and calls no function');
  }
  if ((body.modalities ?? []).some((one) => one !== 'text')) {
    return bad('modalities', 'the expert answers in text only');
  }
  return partRefusal(body.messages);
}

/** Refuses parts that a person at the desk could not be shown. */
function partRefusal(messages: readonly ChatMessageIn[]): ExpertRefusal | null {
  for (const [index, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    const odd = content.findIndex(({ type }) => type !== 'text' && type !== 'refusal');
    if (odd !== -1) {
      const param = `messages[${String(index)}].content[${String(odd)}]`;
      return bad(param, `${param}: only text can be put before the expert, not ${content[odd]?.type ?? ''}`);
    }
  }
  return null;
}

/** Puts words into the form. The words of a person who wrote the form themselves are left as they are. */
export type AnswerFormat = { name: 'text' | 'json_object' | 'json_schema'; shape: (text: string) => string };

const TEXT: AnswerFormat = { name: 'text', shape: (text) => text };

/** The form, or why words cannot be put into it. */
function answerFormat(
  asked: (Record<string, unknown> & { type: string }) | null,
): AnswerFormat | ExpertRefusal {
  switch (asked?.type ?? 'text') {
    case 'text':
      return TEXT;
    case 'json_object':
      return {
        name: 'json_object',
        shape: (text) => (isRecord(tryJson(text)) ? text : wrapText('advice', text)),
      };
    case 'json_schema':
      return schemaFormat(asked?.['json_schema']);
    default:
      return bad('response_format.type', `response_format ${asked?.type ?? ''} is not known`);
  }
}

function schemaFormat(given: unknown): AnswerFormat | ExpertRefusal {
  const schema = isRecord(given) ? given['schema'] : undefined;
  if (!isRecord(schema)) {
    return bad('response_format.json_schema', 'response_format.json_schema needs a schema', 'invalid_type');
  }
  const holder = holderOf(schema);
  if (holder === null) {
    return bad(
      'response_format.json_schema.schema',
      'an expert answers in words: the schema needs a string property that alone makes a valid object',
    );
  }
  return {
    name: 'json_schema',
    shape: (text) => (fits(schema, tryJson(text)) ? text : wrapText(holder, text)),
  };
}

const fits = (schema: Record<string, unknown>, value: unknown): boolean =>
  value !== undefined && checkValue(schema, value).length === 0;

/** A property that can hold any words and needs no other beside it. */
function holderOf(schema: Record<string, unknown>): string | null {
  const properties = schema['properties'];
  if (!isRecord(properties)) return null;
  const samples = [
    '',
    'a',
    'No advice: 7 words, of any length.',
    'No advice: words of any length. '.repeat(200),
  ];
  return (
    Object.keys(properties).find((name) => samples.every((text) => fits(schema, { [name]: text }))) ?? null
  );
}

const wrapText = (name: string, text: string): string => JSON.stringify({ [name]: text });
