import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChatPolicy } from '../../src/main/agent/chat.ts';
import { attachAnswers } from '../../src/main/desk/scriptedAnswers.ts';
import { createOpenAi } from '../../src/main/llm/openai.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';
import { type OpenAiServer, type ScriptedAnswer, startOpenAiServer } from '../support/openaiServer.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let server: OpenAiServer;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(async () => {
  environment.close();
  await server.close();
});

const xml = (name: string, args: object): ScriptedAnswer => ({
  content: `I go on.\n<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
});
const native = (name: string, args: object): ScriptedAnswer => ({
  content: 'I go on.',
  toolCalls: [{ id: 'same-id-each-turn', name, arguments: JSON.stringify(args) }],
});

async function run(protocol: 'native' | 'xml', stream: boolean, script: readonly ScriptedAnswer[]) {
  server = await startOpenAiServer(script);
  const llm = createOpenAi(
    { provider: 'openai', baseUrl: server.url, apiKey: 'sk-test-0123456789', model: 'm', apiVersion: null },
    { stream, timeoutMs: 5_000 },
  );
  const { log, desk, supervisor } = createFlow({ policy: createChatPolicy({ llm, seed: 3 }) });
  attachAnswers({ log, desk }, [{ ask: 1, do: 'send', text: 'Workflow 2 is the second.' }]);
  const agent = { policy: 'chat' as const, protocol, model: 'm' };
  const { ended } = supervisor.start(spec(environment.url, { agent, condition: 'human' }));
  return ended;
}

/** Errs, asks, does what the advice says, looks once too often, and says that it is done. */
const script = (call: typeof xml): ScriptedAnswer[] => [
  call('rename_workflow', {}),
  { status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'slow down' } } },
  call('ask_expert', { task: 'Rename it', context: 'Which id?' }),
  { status: 500, body: { error: { message: 'oops' } } },
  call('rename_workflow', { id: 2 }),
  call('verify', {}),
  { content: 'Workflow 2 is renamed.' },
];

describe.each([
  { protocol: 'native', stream: false, call: native },
  { protocol: 'native', stream: true, call: native },
  { protocol: 'xml', stream: false, call: xml },
  { protocol: 'xml', stream: true, call: xml },
] as const)('a chat model in the $protocol protocol, stream: $stream', ({ protocol, stream, call }) => {
  it('plays a whole episode: it errs, asks, follows the advice and completes, through the server’s troubles', async () => {
    const record = await run(protocol, stream, script(call));

    expect(record.ended).toMatchObject({
      outcome: 'done',
      reward_type: 'complete',
      final_answer: 'Workflow 2 is renamed.',
    });
    expect(record.turns.map(({ move }) => move?.type)).toEqual([
      'call_tool',
      'ask_expert',
      'call_tool',
      'call_tool',
      'final',
    ]);
    expect(record.counts).toMatchObject({ turns: 5, consultations: 1, refused: 1, toolErrors: 1 });
    const failed = record.timeline.filter((item) => item.type === 'model_failed');
    expect(failed.map(({ code, retryInMs }) => [code, retryInMs])).toEqual([
      ['model_rate_limited', 1_000],
      ['model_unavailable', 500],
    ]);
    expect(record.turns[0]).toMatchObject({
      model: 'scripted-model',
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  it('is sent the error, the advice and the refusal, each in answer to its call', async () => {
    await run(protocol, stream, script(call));
    const last = server.requests.at(-1)?.body['messages'] as { role: string; content: string }[];
    const answers = last
      .filter(({ role }, i) => i > 1 && role !== 'assistant')
      .map(({ role, content }) => `${role}: ${content}`);

    const role = protocol === 'native' ? 'tool: ' : 'user: Tool response:\n';
    expect(answers[0]).toContain(`${role}Error: Status code: 422. id is missing`);
    expect(answers[1]).toBe(`${role}Workflow 2 is the second.`);
    expect(answers[3]).toContain(`${role}Error: \`verify\` is not a tool of yours`);
    expect(
      server.requests.every(({ body }) => Array.isArray(body['tools']) === (protocol === 'native')),
    ).toBe(true);
  });

  it('ends the episode with the cause when the key is not accepted', async () => {
    const record = await run(protocol, stream, [
      { status: 401, body: { error: { message: 'bad key sk-test-0123456789' } } },
    ]);

    expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'model_unauthorized' } });
    expect(JSON.stringify(record)).not.toContain('sk-test-0123456789');
  });
});
