import { afterEach, describe, expect, it } from 'vitest';
import { toldMessages } from '../../../src/shared/episode/gateway.ts';
import { makeRows } from '../../support/exporting.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { ended, SYSTEM } from '../../support/log.ts';
import { openTapped, tappedCall } from '../../support/tapped.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';

let doors: Doors;
afterEach(() => doors.close());

const post = (path: string, body: unknown) =>
  fetch(`${doors.url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const CALL = (tool: string) =>
  `<tool_call>{"name": "call_tool", "arguments": {"tool_name": "${tool}", "arguments": "{}"}}</tool_call>`;
const CONVERSATION = [
  { role: 'system', content: 'You act.' },
  { role: 'user', content: 'Rename the second workflow.' },
  { role: 'assistant', content: `I look. ${CALL('find_workflow')}` },
  { role: 'user', content: 'Tool response:\nok' },
  { role: 'assistant', content: '<tool_call>{"name": "ask_expert", "arguments": {"task": "x"}}</tool_call>' },
  { role: 'user', content: 'Tool response:\nTake the second.' },
  { role: 'assistant', content: `I rename. ${CALL('rename_workflow')}` },
  { role: 'user', content: 'Tool response:\nok' },
  { role: 'assistant', content: 'Done.' },
];

async function played() {
  doors = await serveDoors();
  openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
  tappedCall(doors.log, 'e1', 1, 'find_workflow');
  tappedCall(doors.log, 'e1', 2, 'rename_workflow');
}

describe('what a client tells of its turns', () => {
  it('completes the turns it belongs to, found by the calls in order', async () => {
    await played();

    const response = await post('/episodes/rollout-7/messages', { messages: CONVERSATION, model: 'qwen' });

    expect(await response.json()).toEqual({
      episode: 'e1',
      transcribed: [1, 2],
      unmatched: [],
      without_text: [],
      help: { known: 'advised', why: 'told', is_complete: false },
      is_complete: true,
    });
    const { turns } = doors.log.record('e1');
    expect(turns.map(({ hasText, model }) => [hasText, model])).toEqual([
      [true, 'qwen'],
      [true, 'qwen'],
    ]);
    expect(turns[1]?.content).toContain('I rename.');
  });

  it('grows the log with what is new, however often the conversation is told', async () => {
    const long = Array.from({ length: 60 }, (_, at) => ({
      role: 'user',
      content: `${String(at)} ok `.repeat(100),
    }));
    const toldIn = async (steps: number): Promise<{ bytes: number; rows: unknown }> => {
      await played();
      const all = [...CONVERSATION.slice(0, 4), ...long, ...CONVERSATION.slice(4)];
      for (let step = 1; step <= steps; step += 1)
        await post('/episodes/rollout-7/messages', {
          messages: all.slice(0, Math.ceil((all.length * step) / steps)),
          tools: [],
        });
      doors.log.append('e1', SYSTEM, ended());
      const bytes = doors.log.rows('e1').reduce((sum, { body }) => sum + body.length, 0);
      const { rows } = await makeRows(doors.log, 'sft_messages');
      if (steps > 1) await doors.close();
      return { bytes, rows };
    };

    const often = await toldIn(60);
    const once = await toldIn(1);

    expect(often.rows).toEqual(once.rows);
    expect(often.bytes).toBeLessThan(once.bytes * 1.5);
  });

  it('may be told again without a change, and by the turn’s number', async () => {
    await played();
    await post('/episodes/e1/messages', { messages: [{ role: 'assistant', content: 'first', turn: 2 }] });
    const again = await post('/episodes/e1/messages', { messages: CONVERSATION });

    expect(await again.json()).toMatchObject({ transcribed: [1], without_text: [] });
    expect(doors.log.record('e1').turns[1]?.content).toBe('first');
  });

  it('is kept once when the same is told twice', async () => {
    await played();
    for (let i = 0; i < 3; i += 1) await post('/episodes/e1/messages', { messages: CONVERSATION });
    const told = () => doors.log.read('e1').filter(({ event }) => event.kind === 'conversation.told');
    expect(told()).toHaveLength(1);

    const longer = [...CONVERSATION, { role: 'user', content: 'Thank you.' }];
    await post('/episodes/e1/messages', { messages: longer });
    expect(told()).toHaveLength(2);
  });

  it('is not called complete while a turn has no words, or words have no turn', async () => {
    await played();
    const first = await post('/episodes/e1/messages', { messages: CONVERSATION.slice(0, 4) });
    expect(await first.json()).toMatchObject({ without_text: [2], is_complete: false });

    const stray = { role: 'assistant', content: CALL('delete_everything') };
    const second = await post('/episodes/e1/messages', { messages: [...CONVERSATION, stray] });
    expect(await second.json()).toMatchObject({ without_text: [], unmatched: [9], is_complete: false });
  });

  it('is named where it fits no turn', async () => {
    await played();
    const response = await post('/episodes/e1/messages', {
      messages: [{ role: 'assistant', content: CALL('delete_everything') }],
    });

    expect(await response.json()).toMatchObject({ transcribed: [], unmatched: [0], without_text: [1, 2] });
  });

  it('is refused to another key, by the episode’s name and by its id', async () => {
    doors = await serveDoors({ key: { id: 'k2', name: 'another', environment: null } });
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });

    for (const name of ['e1', 'rollout-7']) {
      expect((await post(`/episodes/${name}/messages`, { messages: CONVERSATION })).status).toBe(404);
      expect((await fetch(`${doors.url}/episodes/${name}/mask`)).status).toBe(404);
    }
    expect(doors.log.record('e1').conversation).toBeNull();
  });

  it('is refused under a name that two episodes had at the same time, and taken by the id', async () => {
    await played();
    openTapped(doors.log, { id: 'e2', name: 'rollout-7' });
    doors.log.append('e2', SYSTEM, ended());

    const shared = await post('/episodes/rollout-7/messages', { messages: CONVERSATION });

    expect(shared.status).toBe(400);
    expect(await shared.json()).toMatchObject({
      message: /several episodes of this key were called rollout-7/,
    });
    expect(doors.log.record('e2').conversation).toBeNull();
    expect((await post('/episodes/e1/messages', { messages: CONVERSATION })).status).toBe(200);
  });

  it('is refused for an episode that is not a client’s', async () => {
    await played();

    expect((await post('/episodes/nobody/messages', { messages: CONVERSATION })).status).toBe(404);
  });

  it.each([
    ['no JSON', '{"messages":'],
    ['no messages', {}],
    ['messages that are none', { messages: [1] }],
    ['a body of the wrong type', []],
  ])('is refused clearly when it is %s', async (_, body) => {
    await played();
    const response = await post('/episodes/e1/messages', body);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: expect.any(String) as string });
  });

  it('lets its episode be exported, which is left out by name without it', async () => {
    await played();
    doors.log.append('e1', SYSTEM, ended());
    const before = [await makeRows(doors.log, 'sft'), await makeRows(doors.log, 'preference')];
    await post('/episodes/e1/messages', { messages: CONVERSATION });
    const after = await makeRows(doors.log, 'sft');

    expect(before.map(({ rows, dropped }) => ({ rows, dropped }))).toEqual([
      { rows: [], dropped: { no_transcript: 1 } },
      { rows: [], dropped: { no_transcript: 1 } },
    ]);
    expect(after.rows).toMatchObject([
      {
        prompt: { length: 6 },
        completion: { length: 3 },
        act: 'send',
        actor: 'unknown',
        privilege: 'unknown',
      },
    ]);
  });

  it('lets a row begin after the advice, found where the agent read it', async () => {
    await played();
    const answer = doors
      .openai()
      .chat.completions.create(
        { model: 'm', messages: [{ role: 'user', content: 'Which one?' }] },
        { headers: { 'X-Interject-Episode': 'rollout-7' } },
      );
    const item = await doors.waiting();
    doors.answer(item, 'Take the second.');
    await answer;
    await post('/episodes/e1/messages', { messages: CONVERSATION });
    doors.log.append('e1', SYSTEM, ended());

    expect((await makeRows(doors.log, 'sft')).rows).toMatchObject([
      {
        prompt: { length: 6, 5: { content: 'Tool response:\nTake the second.' } },
        completion: { length: 3 },
        actor: 'human',
        act: 'send',
        privilege: 'unknown',
        leak_free: false,
      },
    ]);
  });
});

it('a question that named nobody, of the only episode that its key ever began is shown there, its client is told so, and it is in no rows, which is counted', async () => {
  doors = await serveDoors();
  openTapped(doors.log, { id: 'e1' });
  tappedCall(doors.log, 'e1', 1, 'find_workflow');
  const answer = doors
    .openai()
    .chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Which one?' }] });
  const item = await doors.waiting();
  doors.answer(item, 'Take the second.');
  const { interject } = (await answer) as unknown as { interject: unknown };
  tappedCall(doors.log, 'e1', 3, 'rename_workflow');
  await post('/episodes/e1/messages', { messages: CONVERSATION });
  doors.log.append('e1', SYSTEM, ended());

  expect(item).toMatchObject({ episode: 'e1', link: { by: 'only_live' } });
  expect(interject).toMatchObject({ episode: 'e1', link: { by: 'only_live', score: 1 } });
  for (const format of ['sft', 'sft_messages', 'advisor', 'preference', 'when_to_ask'] as const)
    expect(await makeRows(doors.log, format, { verdict: 'any', privilege: 'flag' })).toEqual({
      rows: [],
      dropped: { only_live: 1 },
    });
});

it('the mask says which turns a person changed', async () => {
  await played();
  doors.log.append('e1', { type: 'human', id: 'one' }, { kind: 'turn.touched', turn: 2, touch: 'edited' });

  const response = await fetch(`${doors.url}/episodes/rollout-7/mask`);

  expect(await response.json()).toEqual({
    episode: 'e1',
    turns: [
      { turn: 1, touched: null },
      { turn: 2, touched: 'edited' },
    ],
    touched: [2],
  });
});

describe('the pass-through to the agent’s model', () => {
  const config = (url: string) => ({
    provider: 'openai' as const,
    baseUrl: url,
    apiKey: 'agent-secret',
    model: 'm',
    apiVersion: null,
  });

  it.each([false, true])(
    'passes an answer as it is and completes the episode (stream: %s)',
    async (stream) => {
      const model = await startOpenAiServer([
        { content: `I look. ${CALL('find_workflow')}` },
        { content: 'Done.' },
      ]);
      doors = await serveDoors({ agent: config(model.url) });
      openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
      const ask = (messages: object[]) =>
        fetch(`${doors.url}/agent/v1/chat/completions`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-interject-episode': 'rollout-7',
            authorization: 'Bearer ours',
          },
          body: JSON.stringify({ model: 'm', messages, stream }),
        }).then((response) => response.text());

      const first = await ask(CONVERSATION.slice(0, 2));
      tappedCall(doors.log, 'e1', 1, 'find_workflow');
      await ask(CONVERSATION.slice(0, 4));
      doors.log.append('e1', SYSTEM, ended());

      expect(first.startsWith(stream ? 'data: ' : '{')).toBe(true);
      await expect.poll(() => doors.log.record('e1').conversation).not.toBeNull();
      const { turns, conversation } = doors.log.record('e1');
      expect(turns[0]).toMatchObject({ hasText: true });
      expect(toldMessages(conversation ?? { messages: [] }, String)).toHaveLength(5);
      expect(model.requests[0]?.headers).toMatchObject({ authorization: 'Bearer agent-secret' });
      expect(model.requests[0]?.headers).not.toHaveProperty('x-interject-episode');
      await model.close();
    },
  );

  it.each([
    ['authorization', 'Bearer ours', 'Bearer agent-secret'],
    ['x-api-key', 'ours', 'agent-secret'],
    ['api-key', 'ours', 'agent-secret'],
    ['x-goog-api-key', 'ours', 'agent-secret'],
  ])('puts the model’s key where the client put ours: %s', async (name, ours, theirs) => {
    const model = await startOpenAiServer([{ content: 'Done.' }]);
    doors = await serveDoors({ agent: config(model.url) });
    await fetch(`${doors.url}/agent/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [name]: ours },
      body: JSON.stringify({ model: 'm', messages: [] }),
    }).then((response) => response.text());

    const sent = Object.entries(model.requests[0]?.headers ?? {}).filter(([, value]) =>
      /ours|agent-secret/.test(String(value)),
    );
    expect(sent).toEqual([[name, theirs]]);
    await model.close();
  });

  it('passes an error of the model’s server on, and says clearly when there is no model', async () => {
    const model = await startOpenAiServer([{ status: 429, body: { error: { message: 'slow down' } } }]);
    doors = await serveDoors({ agent: config(model.url) });
    const limited = await post('/agent/v1/chat/completions', { messages: [] });
    await doors.close();
    doors = await serveDoors();
    const none = await post('/agent/v1/chat/completions', { messages: [] });

    expect([limited.status, await limited.json()]).toEqual([429, { error: { message: 'slow down' } }]);
    expect([none.status, await none.json()]).toMatchObject([
      503,
      { error: { code: 'model_not_configured' } },
    ]);
    await model.close();
  });
});
