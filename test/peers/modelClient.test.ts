// The agent's model client beside the official openai package: both hold one conversation with the same servers, send
// the same, and read the same out of what comes back.
import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '../../src/shared/events/lifecycle.ts';
import { isRecord } from '../../src/shared/json.ts';
import { createOpenAi } from '../../src/main/llm/openai.ts';
import type { ChatMessage, LlmReply, LlmRequest } from '../../src/main/llm/port.ts';
import { serveDoors } from '../support/doors.ts';
import { startOpenAiServer, type SeenRequest } from '../support/openaiServer.ts';
import { pythonRows } from './support.ts';

const RELEASE = 'openenv-0.10.0';
const KEY = 'sk-of-the-test';

const TOOLS: ToolSpec[] = [
  {
    name: 'look_up',
    description: 'Finds an order.',
    input_schema: {
      type: 'object',
      properties: { order_id: { type: 'integer' } },
      required: ['order_id'],
    },
  },
  // Without parameters of its own; a server gets an empty object of them.
  { name: 'list_all', description: 'Lists them.', input_schema: {} },
];
const OPENING: ChatMessage[] = [
  { role: 'system', content: 'You look after orders.' },
  { role: 'user', content: 'Pay order 7 – now.' },
];
const SETTINGS = { tools: TOOLS, temperature: 0.2, seed: 7, maxOutputTokens: 400 };
const NO_SETTINGS = { tools: null, temperature: null, seed: null, maxOutputTokens: null };

const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 11 },
};
const SCRIPT = [
  {
    content: 'Two looks.',
    reasoning: 'First the order, then all of them. ✓',
    toolCalls: [
      { id: 'call_a', name: 'look_up', arguments: '{"order_id": 7, "note": "a \\"quoted\\" – word"}' },
      { id: 'call_b', name: 'list_all', arguments: '{}' },
    ],
    usage,
  },
  { content: 'Paid: order 7 – 12 €.', usage },
  { refusal: 'I cannot do that.' },
];
const WAYS = ['whole', 'stream', 'azure'] as const;

/** A reply, or the refusal it was, in the words of the Python script. */
async function hear(complete: Promise<LlmReply>) {
  try {
    const { content, reasoning, toolCalls, model, stopReason, usage: took } = await complete;
    return { content, reasoning, refusal: null, calls: toolCalls, model, stop: stopReason, usage: took };
  } catch (thrown) {
    return { refused: thrown instanceof Error ? thrown.message : '' };
  }
}

async function converse(server: { url: string; origin: string }, way: (typeof WAYS)[number]) {
  const isAzure = way === 'azure';
  const client = createOpenAi(
    {
      provider: isAzure ? 'azure' : 'openai',
      baseUrl: isAzure ? server.origin : server.url,
      model: 'm',
      apiKey: KEY,
      apiVersion: isAzure ? '2024-10-21' : null,
    },
    { stream: way === 'stream' },
  );
  const ask = (request: LlmRequest) => client.complete(request, AbortSignal.timeout(20_000));
  const reply = await ask({ messages: OPENING, ...SETTINGS });
  const results = reply.toolCalls.map(({ id, name }): ChatMessage => ({
    role: 'tool',
    toolCallId: id,
    name,
    content: `result of ${name}`,
  }));
  const { content, toolCalls } = reply;
  const later: ChatMessage[] = [...OPENING, { role: 'assistant', content, toolCalls }, ...results];
  return [
    await hear(Promise.resolve(reply)),
    await hear(ask({ messages: later, ...SETTINGS })),
    await hear(ask({ messages: OPENING, ...NO_SETTINGS, tools: TOOLS })),
  ];
}

/** What says nothing: a null, an empty content beside calls, and what a reply held beyond what a request may. */
const REPLY_ONLY = new Set([
  'refusal',
  'annotations',
  'audio',
  'function_call',
  'reasoning_content',
  'parsed',
]);
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => one !== null && !(value['role'] === 'assistant' && REPLY_ONLY.has(name)))
      .filter(([name]) => !(name === 'index' && isRecord(value['function'])))
      .map(([name, one]) => [name, plain(one)]),
  );
}

/** Of the connection, or of how each package reports on itself. */
const OF_TRANSPORT =
  /^(?:host|connection|accept-encoding|accept-language|sec-fetch-mode|content-length|transfer-encoding|x-stainless-(?:async|read-timeout|timeout|helper-method|raw-response))$/;
const headerNames = (headers: Iterable<string>): string[] =>
  [...headers].filter((name) => !OF_TRANSPORT.test(name)).toSorted();

const sent = ({ method, path, headers, body }: SeenRequest) => ({
  method,
  path,
  names: headerNames(Object.keys(headers)),
  key: headers['authorization'] ?? headers['api-key'],
  accept: headers['accept'],
  type: headers['content-type'],
  body: plain(body),
});

describe('the agent’s model client and the official openai package for Python', () => {
  it('send the same requests, calls and their results handed back, whole, streamed and to Azure', async () => {
    const script = WAYS.flatMap(() => SCRIPT);
    const server = await startOpenAiServer([...script, ...script]);
    const theirs = await pythonRows(RELEASE, 'converse_openai.py', [server.url, server.origin, KEY, ...WAYS]);
    const ours: Record<string, unknown>[] = [];
    for (const way of WAYS) ours.push(...(await converse(server, way)).map((row) => ({ way, ...row })));
    await server.close();

    const half = server.requests.length / 2;
    expect(half).toBe(9);
    expect(server.requests.slice(half).map(sent)).toEqual(server.requests.slice(0, half).map(sent));
    expect(ours).toHaveLength(theirs.length);
    ours.forEach((row, at) => {
      const their = theirs[at] ?? {};
      if ('refused' in row) expect(row['refused']).toContain(their['refusal']);
      else expect(row).toEqual(their);
    });
    expect(theirs.filter(({ refusal }) => refusal !== null)).toHaveLength(WAYS.length);
    expect(theirs[0]?.['calls']).toHaveLength(2);
  });

  it('read the same answer of a person out of the expert’s door', async () => {
    const doors = await serveDoors();
    const unanswer = doors.log.subscribe(({ stream, event }) => {
      if (event.kind !== 'consultation.asked') return;
      void doors
        .waiting(({ episode }) => episode === stream)
        .then((item) => doors.answer(item, 'Order 7 is “paid” – 12 €.'));
    });
    const theirs = await pythonRows(RELEASE, 'converse_openai.py', [
      `${doors.url}/v1`,
      doors.url,
      KEY,
      'plain',
      'plain_stream',
    ]);
    const ours: Record<string, unknown>[] = [];
    for (const stream of [false, true]) {
      const config = { provider: 'openai', model: 'm', apiKey: KEY, apiVersion: null } as const;
      const client = createOpenAi({ ...config, baseUrl: `${doors.url}/v1` }, { stream });
      const reply = client.complete({ messages: OPENING, ...NO_SETTINGS }, AbortSignal.timeout(20_000));
      ours.push({ way: stream ? 'plain_stream' : 'plain', ...(await hear(reply)) });
    }
    unanswer();

    expect(ours).toEqual(theirs);
    expect(ours[0]).toMatchObject({ content: 'Order 7 is “paid” – 12 €.', stop: 'stop' });
    const [theirNames = [], , ourNames = []] = doors.requests.map(({ headers }) =>
      headerNames(headers.keys()),
    );
    expect(ourNames).toEqual(theirNames);
    await doors.close();
  });
});
