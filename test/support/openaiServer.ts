// Owns: an OpenAI-compatible server whose answers are written beforehand. A request nobody scripted, and an answer
// nobody asked for, fail the test.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ScriptedCall = { id?: string; name: string; arguments: string };
/** A chat completion; sent whole or in chunks as the request asks. */
export type Completion = {
  content?: string | null;
  reasoning?: string;
  /** Fields of the whole message besides. */
  more?: Record<string, unknown>;
  refusal?: string;
  toolCalls?: readonly ScriptedCall[];
  finish?: string;
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
    completion_tokens_details?: { reasoning_tokens: number };
  };
  model?: string;
};
export type ScriptedAnswer =
  | Completion
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Accepts the request and never answers. */
  | { hang: true }
  /** Begins to answer and then falls silent, or breaks the connection. */
  | { begin: string; ending: 'hang' | 'drop' };

export type SeenRequest = {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
};

export type OpenAiServer = {
  /** Ends in `/v1`. */
  url: string;
  /** Without a path. */
  origin: string;
  requests: SeenRequest[];
  /** Closes; throws when the script was not followed to its end. */
  close(): Promise<void>;
};

/** A script is followed to its end; a function answers whatever it is asked. */
export async function startOpenAiServer(
  script: readonly ScriptedAnswer[] | ((body: Record<string, unknown>) => ScriptedAnswer),
): Promise<OpenAiServer> {
  const left = typeof script === 'function' ? [] : [...script];
  const requests: SeenRequest[] = [];
  const unexpected: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      const answer = typeof script === 'function' ? script(body) : left.shift();
      if (answer === undefined || seen.method !== 'POST' || !seen.path.includes('/chat/completions')) {
        unexpected.push(`${seen.method} ${seen.path}`);
        sendJson(response, 418, { error: { message: 'no scripted answer', code: 'unscripted' } });
      } else send(response, answer, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (unexpected.length > 0) throw new Error(`unscripted requests: ${unexpected.join(', ')}`);
      if (left.length > 0) throw new Error(`${String(left.length)} scripted answers were not asked for`);
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(response: ServerResponse, answer: ScriptedAnswer, body: Record<string, unknown>): void {
  if ('hang' in answer) return;
  if ('status' in answer) {
    const { status, headers } = answer;
    if (typeof answer.body === 'string') {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(answer.body);
    } else sendJson(response, status, answer.body ?? {}, headers);
    return;
  }
  if ('begin' in answer) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sse(chunk({ content: answer.begin }, null)));
    if (answer.ending === 'drop') setTimeout(() => response.destroy(), 20);
    return;
  }
  if (body['stream'] === true) stream(response, answer);
  else sendJson(response, 200, whole(answer));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const sse = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const finishOf = (answer: Completion): string =>
  answer.finish ?? ((answer.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop');

const toolCall = ({ id, name, arguments: written }: ScriptedCall, index: number): unknown => ({
  id: id ?? `call_${String(index)}`,
  type: 'function',
  function: { name, arguments: written },
});

function whole(answer: Completion): unknown {
  const { content = null, reasoning, refusal, toolCalls = [], more = {} } = answer;
  const message = {
    role: 'assistant',
    content,
    ...(refusal === undefined ? {} : { refusal }),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toolCall) }),
    ...more,
  };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: answer.model ?? 'scripted-model',
    choices: [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...answer.usage },
  };
}

const chunk = (delta: unknown, finish: string | null, model = 'scripted-model'): unknown => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model,
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** Pieces of a few characters, as servers send them. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? [];

function stream(response: ServerResponse, answer: Completion): void {
  const deltas: unknown[] = [{ role: 'assistant', content: '' }];
  for (const piece of pieces(answer.reasoning ?? '')) deltas.push({ reasoning_content: piece });
  for (const piece of pieces(answer.content ?? '')) deltas.push({ content: piece });
  for (const piece of pieces(answer.refusal ?? '')) deltas.push({ refusal: piece });
  (answer.toolCalls ?? []).forEach((call, index) => {
    const id = call.id ?? `call_${String(index)}`;
    deltas.push({
      tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    for (const piece of pieces(call.arguments)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas) response.write(sse(chunk(delta, null, answer.model)));
  response.write(sse(chunk({}, finishOf(answer), answer.model)));
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...answer.usage };
  response.write(
    sse({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: answer.model ?? 'scripted-model',
      choices: [],
      usage,
    }),
  );
  response.end(sse('[DONE]'));
}
