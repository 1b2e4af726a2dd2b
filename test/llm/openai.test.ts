import { afterEach, describe, expect, it } from 'vitest';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import { troubleOf } from '../../src/main/llm/failures.ts';
import { createOpenAi } from '../../src/main/llm/openai.ts';
import type { Llm, LlmRequest } from '../../src/main/llm/port.ts';
import { Failure } from '../../src/shared/failure.ts';
import { type OpenAiServer, type ScriptedAnswer, startOpenAiServer } from '../support/openaiServer.ts';

const KEY = 'sk-test-0123456789abcdef';
const request = (more: Partial<LlmRequest> = {}): LlmRequest => ({
  messages: [{ role: 'user', content: 'Add Ada to the team.' }],
  tools: null,
  maxOutputTokens: null,
  temperature: null,
  seed: null,
  ...more,
});
const TOOL = {
  name: 'add_member',
  description: 'Adds a member',
  input_schema: { type: 'object', properties: { name: { type: 'string' } } },
};
const calm = new AbortController().signal;

let server: OpenAiServer | null = null;
const serve = async (...script: ScriptedAnswer[]): Promise<OpenAiServer> => {
  server = await startOpenAiServer(script);
  return server;
};
const clientOf = (
  { url }: Pick<OpenAiServer, 'url'>,
  options: { timeoutMs?: number; stream?: boolean } = {},
  config: Partial<ModelConfig> = {},
): Llm =>
  createOpenAi(
    { provider: 'openai', baseUrl: url, apiKey: KEY, model: 'm-1', apiVersion: null, ...config },
    options,
  );
const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const thrown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(Failure);
  return thrown as Failure;
};

afterEach(async () => {
  await server?.close();
  server = null;
});

describe.each([{ stream: false }, { stream: true }])('a chat model, stream: $stream', ({ stream }) => {
  it('breaks off an answer over 8 MiB, and says so', async () => {
    const text = 'a'.repeat(9 * 1024 * 1024);
    const served = await serve(stream ? { begin: text, ending: 'hang' } : { content: text });

    const failure = await failureOf(clientOf(served, { stream }).complete(request(), calm));
    expect(`${failure.code}: ${failure.message}`).toMatch(/^model_bad_request: .*answered with over 8 MiB/s);
  });

  it('gives text, reasoning, the name it answered under and what it used', async () => {
    const { url } = await serve({ content: 'Ada is added to the team.', reasoning: 'Easy enough.' });
    const llm = clientOf({ url }, { stream });

    const reply = await llm.complete(request(), calm);

    expect(reply).toEqual({
      content: 'Ada is added to the team.',
      reasoning: 'Easy enough.',
      thought: { field: 'reasoning_content', from: `${url} m-1` },
      toolCalls: [],
      model: 'scripted-model',
      stopReason: 'stop',
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  it('gives every tool call with its arguments as they were written', async () => {
    const llm = clientOf(
      await serve({
        content: 'I will.',
        toolCalls: [
          { id: 'a', name: 'add_member', arguments: '{ "name":  "Ada" }' },
          { id: 'b', name: 'add_member', arguments: '{"name":"Bob"}' },
        ],
      }),
      { stream },
    );

    const reply = await llm.complete(request({ tools: [TOOL] }), calm);

    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'add_member', arguments: '{ "name":  "Ada" }' },
      { id: 'b', name: 'add_member', arguments: '{"name":"Bob"}' },
    ]);
    expect(reply.stopReason).toBe('tool_calls');
  });

  it('refuses an answer that ran out of tokens before it said anything', async () => {
    const llm = clientOf(await serve({ content: '', reasoning: 'Let me think', finish: 'length' }), {
      stream,
    });

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_truncated');
    expect(failure.next).toContain('output tokens');
  });

  it('keeps an answer that was cut off after it began', async () => {
    const llm = clientOf(await serve({ content: 'The first half', finish: 'length' }), { stream });

    expect(await llm.complete(request(), calm)).toMatchObject({
      content: 'The first half',
      stopReason: 'length',
    });
  });

  it('refuses an empty answer', async () => {
    const llm = clientOf(await serve({ content: '  ' }), { stream });

    expect((await failureOf(llm.complete(request(), calm))).code).toBe('model_empty');
  });

  it('says that the content filter or the model itself refused', async () => {
    const llm = clientOf(
      await serve({ content: 'Half of', finish: 'content_filter' }, { refusal: 'I cannot.' }),
      {
        stream,
      },
    );

    expect((await failureOf(llm.complete(request(), calm))).code).toBe('model_refused');
    const refused = await failureOf(llm.complete(request(), calm));
    expect(refused.code).toBe('model_refused');
    expect(refused.message).toContain('I cannot.');
  });

  it('gives up on a server that stays silent, and names the time', async () => {
    const llm = clientOf(await serve({ hang: true }), { stream, timeoutMs: 150 });

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_timeout');
    expect(failure.message).toMatch(
      /^the model at http:\/\/127\.0\.0\.1:\d+\/v1 did not answer within 0\.[12] s$/,
    );
    expect(troubleOf(failure)?.isPassing).toBe(true);
  });

  it('stops at once when it is cancelled', async () => {
    const llm = clientOf(await serve({ hang: true }), { stream });
    const stop = new AbortController();
    const underWay = failureOf(llm.complete(request(), stop.signal));
    // Not before it was asked: the first request of a process takes its time on a slow machine.
    await expect.poll(() => server?.requests.length).toBe(1);
    stop.abort();

    expect((await underWay).code).toBe('cancelled');
    expect((await failureOf(llm.complete(request(), stop.signal))).code).toBe('cancelled');
  });

  it('retries nothing by itself', async () => {
    const llm = clientOf(await serve({ status: 500, body: { error: { message: 'boom' } } }), { stream });

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_unavailable');
    expect(failure.message).toContain('boom');
    expect(server?.requests).toHaveLength(1);
  });
});

describe('a stream', () => {
  it('that falls silent half way is a timeout, not half an answer', async () => {
    const llm = clientOf(await serve({ begin: 'Half', ending: 'hang' }), { stream: true, timeoutMs: 150 });

    expect((await failureOf(llm.complete(request(), calm))).code).toBe('model_timeout');
  });

  it('that breaks half way is a lost connection, not half an answer', async () => {
    const llm = clientOf(await serve({ begin: 'Half', ending: 'drop' }), { stream: true });

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_unavailable');
    expect(troubleOf(failure)?.isPassing).toBe(true);
  });

  it('is used by itself once a server says that it only streams', async () => {
    const llm = clientOf(
      await serve(
        {
          status: 400,
          body: {
            error: { message: 'This model only supports stream mode, please enable the stream parameter.' },
          },
        },
        { content: 'one' },
        { content: 'two' },
      ),
    );

    expect((await llm.complete(request(), calm)).content).toBe('one');
    expect((await llm.complete(request(), calm)).content).toBe('two');
    expect(server?.requests.map(({ body }) => body['stream'])).toEqual([undefined, true, true]);
  });
});

describe('what a server does not take', () => {
  it('is left out from then on: temperature, and max_tokens under its other name', async () => {
    const llm = clientOf(
      await serve(
        {
          status: 400,
          body: {
            error: {
              message:
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
              param: 'max_tokens',
            },
          },
        },
        {
          status: 400,
          body: {
            error: {
              message: "Unsupported value: 'temperature' does not support 0.2 with this model.",
              param: 'temperature',
            },
          },
        },
        { content: 'one' },
        { content: 'two' },
      ),
    );
    const asked = request({ temperature: 0.2, maxOutputTokens: 100, seed: 7 });

    await llm.complete(asked, calm);
    await llm.complete(asked, calm);

    const bodies = server?.requests.map(({ body }) => body) ?? [];
    expect(bodies[0]).toMatchObject({ temperature: 0.2, max_tokens: 100, seed: 7 });
    for (const body of bodies.slice(2)) {
      expect(body).toMatchObject({ max_completion_tokens: 100, seed: 7 });
      expect(body).not.toHaveProperty('max_tokens');
      expect(body).not.toHaveProperty('temperature');
    }
  });

  it('is named in a failure when nothing can be left out', async () => {
    const llm = clientOf(
      await serve({ status: 400, body: { error: { message: 'This model does not support tools' } } }),
    );

    const failure = await failureOf(llm.complete(request({ tools: [TOOL] }), calm));

    expect(failure.code).toBe('model_bad_request');
    expect(failure.next).toContain('XML');
  });
});

describe('what is sent', () => {
  it('holds the conversation, the tools and nothing that was left to the server', async () => {
    const llm = clientOf(await serve({ content: 'ok' }));
    const call = { id: 'c1', name: 'add_member', arguments: '{"name":"Ada"}' };

    await llm.complete(
      request({
        messages: [
          { role: 'system', content: 'sys' },
          { role: 'user', content: 'task' },
          { role: 'assistant', content: '', toolCalls: [call] },
          { role: 'tool', content: 'done', toolCallId: 'c1', name: 'add_member' },
        ],
        tools: [TOOL, { name: 'plain', description: '', input_schema: {} }],
      }),
      calm,
    );

    expect(server?.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server?.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(server?.requests[0]?.body).toEqual({
      model: 'm-1',
      messages: [
        { role: 'system', content: 'sys' },
        { role: 'user', content: 'task' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'add_member', arguments: '{"name":"Ada"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'add_member', description: 'Adds a member', parameters: TOOL.input_schema },
        },
        {
          type: 'function',
          function: { name: 'plain', description: '', parameters: { type: 'object', properties: {} } },
        },
      ],
    });
  });

  it('goes to the deployment of an Azure endpoint, with its key header and version', async () => {
    const { origin } = await serve({ content: 'ok' });
    const llm = createOpenAi({
      provider: 'azure',
      baseUrl: `${origin}/`,
      apiKey: KEY,
      model: 'my deployment',
      apiVersion: '2025-04-01-preview',
    });

    await llm.complete(request(), calm);

    expect(server?.requests[0]?.path).toBe(
      '/openai/deployments/my%20deployment/chat/completions?api-version=2025-04-01-preview',
    );
    expect(server?.requests[0]?.headers['api-key']).toBe(KEY);
  });

  it('takes no key, account or address from the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      OPENAI_API_KEY: 'sk-somebody-else',
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      OPENAI_ORG_ID: 'org-else',
      OPENAI_PROJECT_ID: 'proj-else',
    });
    const llm = clientOf(await serve({ content: 'ok' }), {}, { apiKey: null });

    await llm.complete(request(), calm).finally(() => {
      for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    });

    const headers = server?.requests[0]?.headers ?? {};
    expect(headers['authorization']).toBeUndefined();
    expect(headers['openai-organization']).toBeUndefined();
    expect(headers['openai-project']).toBeUndefined();
  });
});

describe('a refusal', () => {
  it.each([
    { status: 401, code: 'model_unauthorized', next: 'API key' },
    { status: 403, code: 'model_unauthorized', next: 'API key' },
    { status: 404, code: 'model_bad_request', next: '/v1' },
    { status: 429, code: 'model_rate_limited', next: 'Wait' },
    { status: 503, code: 'model_unavailable', next: 'later' },
    { status: 529, code: 'model_unavailable', next: 'later' },
  ])('$status is $code and says what to do', async ({ status, code, next }) => {
    const llm = clientOf(await serve({ status, body: { error: { message: 'the reason' } } }));

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe(code);
    expect(failure.message).toContain('the reason');
    expect(failure.next).toContain(next);
  });

  it('keeps how long the server asks to wait, in each way it can say so', async () => {
    const llm = clientOf(
      await serve(
        { status: 429, headers: { 'retry-after': '12' } },
        { status: 429, headers: { 'retry-after-ms': '1500' } },
        {
          status: 429,
          headers: { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' },
        },
        { status: 429 },
      ),
    );
    const waits: unknown[] = [];
    for (let i = 0; i < 4; i += 1) {
      waits.push(troubleOf(await failureOf(llm.complete(request(), calm)))?.retryAfterMs);
    }

    expect(waits).toEqual([12_000, 1_500, 30_000, null]);
  });

  it('for lack of money is not one that passes', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    const llm = clientOf(await serve({ status: 429, body }));

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_rate_limited');
    expect(troubleOf(failure)?.isPassing).toBe(false);
  });

  it('by a content filter that answers 400 is a refusal, not a bad request', async () => {
    const body = { error: { message: 'The response was filtered', code: 'content_filter' } };
    const llm = clientOf(await serve({ status: 400, body }));

    expect((await failureOf(llm.complete(request(), calm))).code).toBe('model_refused');
  });

  it('for a user in the address and a key at once, of which one can be sent, names neither and asks nobody', async () => {
    const asked = await serve();
    const baseUrl = asked.url.replace('://', '://ada:zq7-password@');

    const failure = await failureOf(clientOf(asked, {}, { baseUrl }).complete(request(), calm));

    expect(failure).toMatchObject({ code: 'model_bad_request', next: /Take the user and password out/ });
    expect(`${failure.message} ${failure.next ?? ''}`).not.toMatch(/zq7|ada|sk-test/);
    expect(asked.requests).toEqual([]);
  });

  it('never shows a key, ours or another', async () => {
    const message = `Incorrect API key provided: ${KEY}. Bearer ${KEY}; sk-proj-abcdef0123456789`;
    const llm = clientOf(await serve({ status: 401, body: { error: { message } } }));

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.message).not.toContain('0123456789');
    expect(failure.message).toContain('[redacted]');
    expect(JSON.stringify(failure.cause)).not.toContain('0123456789');
  });

  it('inside an answer with status 200 is still a refusal', async () => {
    const llm = clientOf(
      await serve({ status: 200, body: { error: { message: 'upstream is down', code: 502 } } }),
    );

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_unavailable');
    expect(failure.message).toContain('upstream is down');
  });

  it('in broken JSON is the server’s fault, and is said to be', async () => {
    const llm = clientOf(
      await serve({ status: 200, body: '{"choices": [', headers: { 'content-type': 'application/json' } }),
    );

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.message).toContain('answered with broken JSON');
    expect(failure.message).not.toContain('could not be asked');
  });

  it('to be a model at all hints at the base URL', async () => {
    const llm = clientOf(await serve({ status: 200, body: '<html>Welcome</html>' }));

    const failure = await failureOf(llm.complete(request(), calm));

    expect(failure.code).toBe('model_bad_request');
    expect(failure.next).toContain('/v1');
  });
});

describe('an address', () => {
  it('where nobody listens is unavailable, and says why', async () => {
    const gone = await startOpenAiServer([]);
    await gone.close();

    const failure = await failureOf(clientOf(gone).complete(request(), calm));

    expect(failure.code).toBe('model_unavailable');
    expect(failure.message).toContain('ECONNREFUSED');
  });

  it('that is none is a bad request', async () => {
    const llm = createOpenAi({
      provider: 'openai',
      baseUrl: 'not an address',
      apiKey: KEY,
      model: 'm',
      apiVersion: null,
    });

    expect((await failureOf(llm.complete(request(), calm))).code).toBe('model_bad_request');
  });
});
