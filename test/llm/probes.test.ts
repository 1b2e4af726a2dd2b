import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { probeModel } from '../../src/main/llm/probes.ts';
import { createTokens } from '../../src/main/llm/tokenCommand.ts';
import type { ModelProbe } from '../../src/shared/contract/models.ts';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import { startOpenAiServer, type OpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';

const never = new AbortController().signal;
const tokens = createTokens({ clock: Date.now });
let server: OpenAiServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const config = (baseUrl: string, over: Partial<ModelConfig> = {}): ModelConfig => ({
  provider: 'openai',
  baseUrl,
  apiKey: 'sk-of-a-test',
  model: 'm',
  apiVersion: null,
  ...over,
});

/** One question, put to a server that answers as scripted. */
async function probe(which: ModelProbe, ...script: ScriptedAnswer[]) {
  server = await startOpenAiServer(script);
  return probeModel(which, { config: config(server.url), tokens, signal: never });
}
const add = (a: number, b: number) => ({ name: 'add', arguments: JSON.stringify({ a, b }) });
const refusal = (message: string) => ({ status: 400, body: { error: { message } } });

describe('what a model can do', () => {
  it.each<[ModelProbe, string, ScriptedAnswer, string, RegExp]>([
    ['answer', 'yes', { content: 'ready' }, 'yes', /answered "ready"/],
    ['system_role', 'yes', { content: 'PELICAN' }, 'yes', /"PELICAN"/],
    ['system_role', 'no', { content: 'Paris' }, 'no', /"Paris"/],
    ['tools', 'yes', { toolCalls: [add(17, 25)] }, 'yes', /called add\(\{"a":17,"b":25\}\)/],
    [
      'tools',
      'no, without its arguments',
      { toolCalls: [{ name: 'add', arguments: '{}' }] },
      'no',
      /add\(\{\}\)/,
    ],
    ['tools', 'no', { content: '42' }, 'no', /made no call, and answered "42"/],
    ['tools', 'no, as the server refuses them', refusal('tools are not supported'), 'no', /not supported/],
    ['parallel_calls', 'yes', { toolCalls: [add(1, 2), add(30, 40)] }, 'yes', /and add\(/],
    [
      'parallel_calls',
      'no, where one is without its arguments',
      { toolCalls: [add(1, 2), { name: 'add', arguments: '{}' }] },
      'no',
      /and add\(\{\}\)/,
    ],
    ['parallel_calls', 'no', { toolCalls: [add(1, 2)] }, 'no', /one reply called add/],
    ['streaming', 'yes', { content: '1, 2, 3, 4, 5, 6, 7, 8' }, 'yes', /in \d+ pieces/],
    ['reasoning', 'yes', { content: '391', reasoning: '17*20+17*3' }, 'yes', /field of its own, 10 ch/],
    ['reasoning', 'in the text', { content: '<think>hm</think>391' }, 'yes', /between tags/],
    ['reasoning', 'no', { content: '391' }, 'no', /no thinking/],
  ])('%s: %s, with what came back as the evidence', async (which, _says, answer, finding, evidence) => {
    const result = await probe(which, answer);

    expect(result).toMatchObject({ finding, failure: null });
    expect(result.evidence).toMatch(evidence);
  });

  it.each([{ content: '' }, { content: '<think>ready?</think>' }])(
    'is not that it answers, where it says nothing: %j',
    async (answer) => {
      expect((await probe('answer', answer)).finding).not.toBe('yes');
    },
  );

  it('sends small requests, and counts what they took', async () => {
    const result = await probe('tools', {
      toolCalls: [add(17, 25)],
      usage: { prompt_tokens: 61, completion_tokens: 9 },
    });

    expect(result.usage).toEqual({ input_tokens: 61, output_tokens: 9 });
    expect(JSON.stringify(server?.requests[0]?.body).length).toBeLessThan(600);
    expect(server?.requests[0]?.body).toMatchObject({ max_tokens: 850 });
  });

  it('is not said of a model that does not answer: that is a failure, with its next step', async () => {
    const unauthorized = { status: 401, body: { error: { message: 'bad key sk-of-a-test' } } };
    const result = await probe('answer', unauthorized);

    expect(result).toMatchObject({ finding: 'unclear', failure: { code: 'model_unauthorized' } });
    expect(JSON.stringify(result)).not.toContain('sk-of-a-test');
  });

  it('is cancelled without an answer', async () => {
    server = await startOpenAiServer([{ hang: true }]);
    const stop = new AbortController();
    const asked = probeModel('answer', { config: config(server.url), tokens, signal: stop.signal });
    const settled = expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => server?.requests.length).toBe(1);
    stop.abort();

    await settled;
  });
});

describe('how much a model can read', () => {
  it('is in the list of models, where the server tells it', async () => {
    const listing = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          object: 'list',
          data: [
            { id: 'other', max_model_len: 1 },
            { id: 'm', max_model_len: 32768 },
          ],
        }),
      );
    });
    await new Promise<void>((resolve) => listing.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((listing.address() as AddressInfo).port)}/v1`;

    expect(await probeModel('context', { config: config(url), tokens, signal: never })).toMatchObject({
      finding: 'yes',
      evidence: '32,768 tokens, as its list of models says',
    });
    listing.close();
  });

  it.each([
    [
      "vLLM's refusal",
      "This model's maximum context length is 4096 tokens. However, you requested 100000012 tokens.",
      /^4096 tokens, as the server says/,
      1,
    ],
    [
      "OpenAI's refusal",
      'max_tokens is too large: 100000000. This model supports at most 16384 completion tokens',
      /^it writes at most 16384 tokens/,
      2,
    ],
    ['a refusal without a number', 'too many tokens', /^asked for too much, the server said/, 1],
  ])('is read from %s', async (_name, message, evidence, requests) => {
    server = await startOpenAiServer(Array.from({ length: requests }, () => refusal(message)));
    const azure = config(server.origin, { provider: 'azure', apiKey: 'k' });
    const result = await probeModel('context', { config: azure, tokens, signal: never });

    expect(result.evidence).toMatch(evidence);
    // Where a refusal names `max_tokens`, it is tried under the name that newer models take.
    expect(server.requests.length).toBe(requests);
  });
});
