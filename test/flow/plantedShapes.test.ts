// Every shape and name of a secret is brought in at every door: what is stored holds none, and whoever it is for gets it.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import type { LlmReply } from '../../src/main/llm/port.ts';
import { connect, openTap } from '../support/tap.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';
import { ended, HUMAN, openLog, SYSTEM } from '../support/log.ts';
import { openTapped, tappedCall } from '../support/tapped.ts';
import { PLANTED_TEXT, plantedShapesIn, plantedShapesUnder } from '../support/plantedShapes.ts';
import { serveDoors } from '../support/doors.ts';
import { startOpenAiServer } from '../support/openaiServer.ts';
import { TIMING } from '../support/killed.ts';
import { ME } from '../support/stepIn.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

/** Short and plain: nothing but its name tells that it is a secret. */
const PLAIN = 'tulip';
const SIGN_IN = { user: 'ada', password: PLAIN, pin_token: 12_345_678, note: PLANTED_TEXT, at: 9 };

const folder = folderPerTest();

const inLog = (): ReturnType<typeof openLog> => openLog(join(folder(), 'interject.db'), Date.now);
/** What of it is stored, in whatever file. */
const isCovered = (): void => {
  expect(plantedShapesUnder(folder())).toEqual([]);
};

describe('a client’s question', () => {
  const ask = (url: string, path: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'expert',
        metadata: { note: PLANTED_TEXT, api_key: 'zq7-json-key-1' },
        tools: [{ type: 'function', function: { name: 'sign_in', description: PLANTED_TEXT } }],
        messages: [
          { role: 'system', content: `SUCCESS CRITERIA:\nrow 2 is named Second\n\nTask: ${PLANTED_TEXT}` },
          { role: 'user', content: PLANTED_TEXT },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'x', arguments: JSON.stringify(SIGN_IN) } },
            ],
          },
          { role: 'tool', tool_call_id: 'c', content: JSON.stringify({ error: PLANTED_TEXT }) },
          { role: 'user', content: 'SUCCESS CRITERIA:\nrow 3 too\n\nHow do I sign in?' },
        ],
      }),
    });

  it.each(['/v1/chat/completions', '/openai/deployments/expert/chat/completions'])(
    'at %s is kept without them, and the client gets what the expert wrote',
    async (path) => {
      const log = inLog();
      const doors = await serveDoors({ log });
      const answer = ask(doors.url, path);
      const item = await doors.waiting();
      doors.answer(item, `Use this:\n${PLANTED_TEXT}`);
      const { choices } = (await (await answer).json()) as { choices: { message: { content: string } }[] };

      expect(choices[0]?.message.content).toBe(`Use this:\n${PLANTED_TEXT}`);
      expect(plantedShapesIn(JSON.stringify(item))).toEqual([]);
      const [asked] = log.record(item.episode).consultations;
      // What covers criteria stands where its mark is.
      const request = log.texts.loadText(asked?.request ?? '');
      expect(request).not.toContain(PLAIN);
      const events = log
        .read(item.episode)
        .flatMap(({ event }) => (event.kind === 'consultation.asked' ? (event.covered ?? []) : []));
      expect(events.length).toBeGreaterThan(0);
      for (const { start, end } of events) expect(request.slice(start, end)).toMatch(/^⟦covered .*⟧$/);
      expect(() => JSON.parse(request) as unknown).not.toThrow();
      await doors.close();
      isCovered();
    },
  );

  it('over MCP is kept without them, and the client gets what the expert wrote', async () => {
    const log = inLog();
    const doors = await serveDoors({ log });
    const client = new Client({ name: 'test', version: '0.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${doors.url}/mcp`)) as never);
    const args = { question: PLANTED_TEXT, context: PLANTED_TEXT, task: PLANTED_TEXT, tools: [PLANTED_TEXT] };
    const result = client.callTool({ name: 'ask_expert', arguments: args });
    doors.answer(await doors.waiting(), PLANTED_TEXT);

    expect(await result).toMatchObject({ content: [{ type: 'text', text: PLANTED_TEXT }] });
    await client.close();
    await doors.close();
    isCovered();
  });
});

describe('a client’s transcript', () => {
  const MESSAGES = [
    { role: 'user', content: PLANTED_TEXT },
    {
      role: 'assistant',
      content: PLANTED_TEXT,
      reasoning_content: PLANTED_TEXT,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'find', arguments: JSON.stringify(SIGN_IN) } },
      ],
    },
  ];
  it('that it tells is kept without them', async () => {
    const log = inLog();
    const doors = await serveDoors({ log });
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    tappedCall(log, 'e1', 1, 'find');
    const told = await fetch(`${doors.url}/episodes/rollout-7/messages`, {
      method: 'POST',
      body: JSON.stringify({ messages: MESSAGES, tools: [{ note: PLANTED_TEXT }] }),
    });

    expect(await told.json()).toMatchObject({ transcribed: [1], is_complete: true });
    expect(JSON.stringify(log.read('e1'))).not.toContain(PLAIN);
    await doors.close();
    isCovered();
  });

  it('that the pass-through hears is kept without them, and passes byte for byte', async () => {
    const log = inLog();
    const model = await startOpenAiServer([{ content: PLANTED_TEXT }]);
    const agent = {
      provider: 'openai' as const,
      baseUrl: model.url,
      apiKey: 'agent-secret',
      model: 'm',
      apiVersion: null,
    };
    const doors = await serveDoors({ log, agent });
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    const body = { model: 'm', messages: MESSAGES };
    const answer = await fetch(`${doors.url}/agent/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-interject-episode': 'rollout-7' },
      body: JSON.stringify(body),
    });

    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: PLANTED_TEXT } }] });
    expect(model.requests[0]?.body).toEqual(body);
    log.append('e1', SYSTEM, ended());
    await expect.poll(() => log.record('e1').conversation).not.toBeNull();
    await doors.close();
    await model.close();
    isCovered();
  });
});

describe('a tapped episode', () => {
  it('is kept without them, every frame passes as it was, and an edited call has the true values', async () => {
    const environment = await serveEnvironment({
      sign_in: ({ note }) => ({
        observation: { tool_name: 'sign_in', reward_type: 'tool_call_ok', tool_result: String(note) },
      }),
      broken: () => ({ error: { code: 'EXECUTION_ERROR', message: PLANTED_TEXT } }),
    });
    const tapped = await openTap(environment.url, { may_act: true }, folder());
    const client = await connect(tapped.url);
    await client.raw(
      JSON.stringify({ type: 'reset', data: { scenario: 's_1', note: PLANTED_TEXT, pwd: PLAIN } }),
    );
    const [id = ''] = await tapped.episodes();
    const said = await client.call('sign_in', SIGN_IN);
    await client.call('broken', {});
    await tapped.until(id, ({ turns }) => turns.length >= 2 && turns.at(-1)?.call?.returned);

    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    await tapped.commands['policy.set']({ episode: id, rules }, ME);
    await tapped.tap.settled();
    const held = client.call('sign_in', SIGN_IN);
    const record = await tapped.until(id, ({ turns }) => turns.at(-1)?.call?.held);
    const move = record.turns.at(-1)?.move;
    const args = move?.type === 'call_tool' ? move.arguments : {};
    expect(args).toMatchObject({ user: 'ada', password: '[redacted:5]', at: 9 });
    await tapped.commands['call.decide'](
      {
        act: 'edit',
        episode: id,
        call: record.turns.at(-1)?.callId ?? '',
        tool_name: 'sign_in',
        arguments: { ...args, at: 10, api_key: 'a-new-one-7' },
        reason: null,
        is_unchecked: true,
        seen_seq: record.seq,
        timing: TIMING,
      } as never,
      ME,
    );
    await held;
    await tapped.commands['note.send'](
      { episode: id, text: PLANTED_TEXT, seen_seq: record.seq, timing: TIMING } as never,
      ME,
    );
    await tapped.tap.settled();
    await tapped.commands['policy.set']({ episode: id, rules: [] }, ME);
    await tapped.tap.settled();
    const noted = JSON.stringify(await client.call('sign_in', { at: 11 }));

    expect(environment.calls.map(({ args: given }) => given)).toEqual([
      SIGN_IN,
      {},
      { ...SIGN_IN, at: 10, api_key: 'a-new-one-7' },
      { at: 11 },
    ]);
    const escaped = JSON.stringify(PLANTED_TEXT).slice(1, -1);
    expect([JSON.stringify(said).includes(escaped), noted.includes(escaped)]).toEqual([true, true]);
    const kept = JSON.stringify(tapped.log.read(id));
    expect([kept.includes('a-new-one-7'), kept.includes(PLAIN)]).toEqual([false, false]);
    expect(plantedShapesUnder(folder())).toEqual([]);
    client.socket.close();
    await tapped.close();
    environment.close();
  });
});

describe('an episode of our own', () => {
  it('is kept without them, and the agent, its environment and the expert’s answer have the true values', async () => {
    const environment = await serveEnvironment({
      sign_in: ({ note }) => ({
        observation: { tool_name: 'sign_in', reward_type: 'tool_call_ok', tool_result: String(note) },
      }),
    });
    const call = (id: string, name: string, args: object): LlmReply => ({
      content: PLANTED_TEXT,
      reasoning: PLANTED_TEXT,
      toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
      model: 'm',
      stopReason: null,
      usage: null,
    });
    const question = { task: PLANTED_TEXT, available_tools: PLANTED_TEXT, context: PLANTED_TEXT };
    const replies = [
      call('a', 'call_tool', { tool_name: 'sign_in', arguments: JSON.stringify(SIGN_IN) }),
      call('b', 'ask_expert', question),
      { ...call('c', 'x', {}), toolCalls: [] },
    ];
    const read: string[] = [];
    const { log, supervisor, waiting, desk } = createFlow({
      path: join(folder(), 'interject.db'),
      policy: {
        next: ({ messages }) => {
          read.push(JSON.stringify(messages));
          return Promise.resolve(replies[read.length - 1] as LlmReply);
        },
      },
    });
    const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
    const { id, ended: over } = supervisor.start(
      spec(environment.url, { agent, environmentText: PLANTED_TEXT }),
    );
    const item = await waiting(({ draft }) => draft !== null);
    desk.answer(
      {
        episode: item.episode,
        consultation: item.consultation,
        text: PLANTED_TEXT,
        draft: null,
        seen_seq: log.record(id).seq,
        timing: TIMING,
      },
      HUMAN,
    );
    await over;

    expect(environment.calls[0]?.args).toEqual(SIGN_IN);
    expect(plantedShapesIn(JSON.stringify(item))).toEqual([]);
    const escaped = plantedShapesIn(JSON.stringify(PLANTED_TEXT));
    // What the agent wrote and its environment answered; then the answer as well.
    expect(read.map((text) => plantedShapesIn(text))).toEqual([escaped, escaped, escaped]);
    expect(read[1]?.includes(JSON.stringify(replies[0]?.toolCalls[0]?.arguments).slice(1, -1))).toBe(true);
    expect(read[2]?.split(JSON.stringify(PLANTED_TEXT).slice(1, -1)).length).toBeGreaterThan(
      read[1]?.split(JSON.stringify(PLANTED_TEXT).slice(1, -1)).length ?? 0,
    );
    expect(JSON.stringify(log.read(id))).not.toContain(PLAIN);
    log.close();
    environment.close();
    isCovered();
  });
});

it('words of a person and of a curriculum are kept without them, whatever event they stand in', () => {
  const log = inLog();
  log.append('e1', HUMAN, {
    kind: 'note.interjected',
    note: 'n1',
    text: PLANTED_TEXT,
    privilege: [],
    timing: TIMING,
  });
  log.append('late/e1', HUMAN, {
    kind: 'note.interjected',
    note: 'n1',
    text: PLANTED_TEXT,
    privilege: [],
    timing: TIMING,
  });

  expect(plantedShapesIn(log.texts.loadText(log.record('e1').notes[0]?.text ?? ''))).toEqual([]);
  log.close();
  isCovered();
});
