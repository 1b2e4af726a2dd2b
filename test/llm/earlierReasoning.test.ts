import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAi } from '../../src/main/llm/openai.ts';
import type { Llm, LlmRequest } from '../../src/main/llm/port.ts';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import { type OpenAiServer, type ScriptedAnswer, startOpenAiServer } from '../support/openaiServer.ts';

const calm = new AbortController().signal;
let server: OpenAiServer | null = null;
const serve = async (...script: ScriptedAnswer[]): Promise<OpenAiServer> => {
  server = await startOpenAiServer(script);
  return server;
};
afterEach(async () => {
  await server?.close();
  server = null;
});
const clientOf = ({ url }: OpenAiServer, config: Partial<ModelConfig> = {}): Llm =>
  createOpenAi({ provider: 'openai', baseUrl: url, apiKey: null, model: 'm-1', apiVersion: null, ...config });

describe('the reasoning of earlier replies', () => {
  const THOUGHT = 'It is Ada.';
  const FIELDS = {
    reasoning_content: THOUGHT,
    reasoning: THOUGHT,
    reasoning_details: JSON.stringify([{ type: 'reasoning.encrypted', data: 'AAA=', index: 0, id: null }]),
    content: `<think>${THOUGHT}</think>On it.`,
  };
  type Field = keyof typeof FIELDS;
  const asked = (from: string, field: Field = 'reasoning_content'): LlmRequest => {
    const thought = { field, from, value: FIELDS[field], turn: 4 };
    return {
      messages: [
        { role: 'user', content: 'Add Ada to the team.' },
        { role: 'assistant', content: 'On it.', toolCalls: [], thought },
      ],
      tools: null,
      maxOutputTokens: null,
      temperature: null,
      seed: null,
    };
  };
  const sentBack = (): unknown[] =>
    (server?.requests ?? []).map(({ body }) => (body['messages'] as unknown[])[1]);
  const refusal = (message: string, param?: string): ScriptedAnswer => ({
    status: 400,
    body: { error: { message, param } },
  });

  it.each(Object.keys(FIELDS) as Field[])('goes back to the model that returned it as %s', async (field) => {
    const served = await serve({ content: 'Done.' });

    const reply = await clientOf(served).complete(asked(`${served.url} m-1`, field), calm);

    const value: unknown = field === 'reasoning_details' ? JSON.parse(FIELDS[field]) : FIELDS[field];
    expect(sentBack()).toEqual([{ role: 'assistant', content: 'On it.', [field]: value }]);
    expect(reply.recalled).toBe(4);
  });

  it('goes to no other model, and to none of which a person wants it so', async () => {
    const served = await serve({ content: 'Done.' }, { content: 'Done.' }, { content: 'Done.' });
    const own = asked(`${served.url} m-1`);

    const replies = [
      await clientOf(served).complete(asked('http://elsewhere/v1 m-1'), calm),
      await clientOf(served, { model: 'm-2' }).complete(own, calm),
      await clientOf(served, { reasoning: 'off' }).complete(own, calm),
    ];

    expect(sentBack()).toEqual(Array(3).fill({ role: 'assistant', content: 'On it.' }));
    expect(replies.map(({ recalled }) => recalled)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    refusal('The reasoning_content is for display only: remove it from your message.'),
    refusal('Unsupported field.', 'messages[1].reasoning_content'),
  ])('is not sent again to a server that refused it: %j', async (refused) => {
    const served = await serve(refused, { content: 'Done.' }, { content: 'Done.' });
    const llm = clientOf(served);

    const first = await llm.complete(asked(`${served.url} m-1`), calm);
    await llm.complete(asked(`${served.url} m-1`, 'reasoning'), calm);

    expect(sentBack()).toEqual([
      { role: 'assistant', content: 'On it.', reasoning_content: THOUGHT },
      { role: 'assistant', content: 'On it.' },
      { role: 'assistant', content: 'On it.' },
    ]);
    expect(first.recalled).toBeUndefined();
  });

  it('goes on to a server that misses it in another message', async () => {
    const served = await serve(
      refusal('The `reasoning_content` in the thinking mode must be passed back to the API.'),
      { content: 'Done.' },
    );
    const llm = clientOf(served);
    const own = asked(`${served.url} m-1`);

    await expect(llm.complete(own, calm)).rejects.toThrow('must be passed back');

    expect((await llm.complete(own, calm)).recalled).toBe(4);
  });
});
