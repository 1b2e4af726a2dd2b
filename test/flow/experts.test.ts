import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/main/agent/policy.ts';
import type { LlmRequest } from '../../src/main/llm/port.ts';
import type { RunSpec } from '../../src/main/episode/stage.ts';
import type { Condition } from '../../src/shared/events/lifecycle.ts';
import type { Routing } from '../../src/shared/experts/roster.ts';
import { serveDoors } from '../support/doors.ts';
import { modelsByProfile, PRIYA, ROSTER } from '../support/experts.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';
import { openTapped, tappedCall } from '../support/tapped.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const native = (name: string, args: object) => ({
  content: '',
  toolCalls: [{ id: 'c', name, arguments: JSON.stringify(args) }],
});
const FAILS = native('rename_workflow', {});
const MALFORMED = { content: '', toolCalls: [{ id: 'c', name: 'rename_workflow', arguments: '{"id": ' }] };
const ask = (expert?: string) =>
  native('ask_expert', {
    task: 'Rename it.',
    context: 'Which one?',
    ...(expert === undefined ? {} : { expert }),
  });
const FINAL = { content: 'It is renamed.', toolCalls: [] };

type Said = typeof FINAL | ReturnType<typeof native>;

function start(says: readonly Said[], over: Partial<RunSpec> = {}, isOnDuty?: (seat: string) => boolean) {
  const seen: { profile: string | undefined; request: LlmRequest }[] = [];
  const offered: unknown[] = [];
  let turn = 0;
  const policy: Policy = {
    next: ({ tools }) => {
      offered.push(tools.find(({ name }) => name === 'ask_expert')?.input_schema['properties']);
      const said = says[turn] ?? FINAL;
      turn += 1;
      return Promise.resolve({ ...said, reasoning: null, model: 'm', stopReason: 'stop', usage: null });
    },
  };
  const flow = createFlow({
    policy,
    models: modelsByProfile(seen),
    ...(isOnDuty === undefined ? {} : { isOnDuty }),
  });
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  const run = { agent, condition: 'model' as Condition, experts: ROSTER, ...over };
  return { ...flow, ...flow.supervisor.start(spec(environment.url, run)), seen, offered };
}

describe('several experts in an episode of ours', () => {
  it('offers their names with what to ask them for, and only where there is a choice', async () => {
    const several = start([FINAL], { condition: 'human+draft' });
    await several.ended;
    const models = start([FINAL], { condition: 'model' });
    await models.ended;
    const one = start([FINAL], { condition: 'human' });
    await one.ended;
    const none = start([FINAL], { experts: null });
    await none.ended;

    expect(several.offered[0]).toMatchObject({
      expert: {
        enum: ['Formatter', 'Rescuer', 'Priya'],
        description: expect.stringContaining('- Priya: what the shop wants') as string,
      },
    });
    expect(models.offered[0]).toMatchObject({ expert: { enum: ['Formatter', 'Rescuer'] } });
    expect(one.offered[0]).not.toHaveProperty('expert');
    expect(none.offered[0]).not.toHaveProperty('expert');
  });

  it('has the routed model answer with its own profile and prompt, and records who and why', async () => {
    const { ended, seen } = start([MALFORMED, ask(), FINAL]);
    const record = await ended;

    expect(record.started?.experts).toEqual(ROSTER);
    expect(record.consultations[0]).toMatchObject({
      routed: {
        expert: 'Formatter',
        by: 'rule',
        question: 'format_error',
        skill: 'formatting',
        reason: 'after a format error: formatting',
        drafter: 'Formatter',
        first: null,
      },
      draft: { expert: 'Formatter', model: 'small-model' },
      decision: { type: 'approved', expert: 'Formatter', actor: { type: 'model', id: 'small-model' } },
      delivered: { text: 'Advice of small.' },
    });
    expect(seen).toMatchObject([
      {
        profile: 'small',
        request: {
          messages: [{ role: 'system', content: 'You mend badly written calls.' }, { role: 'user' }],
        },
      },
    ]);
  });

  it('asks the one the agent names; a name that nobody has is routed by rule, and the agent is told', async () => {
    const { ended } = start([ask('rescuer'), ask('Bob'), FINAL]);
    const record = await ended;
    const [named, unknown] = record.consultations;
    const told = record.messages.filter(({ origin }) => origin === 'advice').map(({ content }) => content);

    expect(named).toMatchObject({
      routed: { expert: 'Rescuer', by: 'name' },
      delivered: { text: 'Advice of large.' },
    });
    expect(unknown).toMatchObject({ routed: { by: 'rule', not_followed: 'Bob', expert: 'Formatter' } });
    expect(told[0]).not.toContain('There is no expert');
    expect(told[1]).toContain('There is no expert "Bob" to ask here. Formatter was asked instead.');
    expect(record.turns.map(({ repairs }) => repairs)).toEqual([[], [], []]);
  });

  it('names them in the prompt where calls are written in XML', async () => {
    const { ended } = start([FINAL], { agent: { policy: 'chat', protocol: 'xml', model: 'm' } });
    const record = await ended;

    expect(record.messages[0]?.content).toContain('- Rescuer: what to do after errors');
  });

  it('shows a question to the person’s seat first, and to all when that seat leaves', async () => {
    const { ended, waiting, log, desk } = start([ask('Priya'), FINAL], { condition: 'human+draft' });
    const item = await waiting(({ draft }) => draft !== null);
    expect(item).toMatchObject({
      routed: { expert: 'Priya', drafter: 'Formatter' },
      first: { seat: PRIYA },
      draft: { model: 'small-model' },
    });

    const seat = { type: 'human' as const, id: PRIYA };
    log.append(`seat/${PRIYA}`, seat, { kind: 'seat.changed', seat: PRIYA, presence: 'away' });
    const opened = await waiting((one) => !('first' in one));
    const timing = { first_seen_at: null, active_ms: null };
    const { seq: seen_seq } = log.record(opened.episode);
    const { episode, consultation } = opened;
    desk.answer({ episode, consultation, text: 'The second.', draft: null, seen_seq, timing }, seat);
    const record = await ended;

    expect(record.consultations[0]?.decision).toMatchObject({ type: 'approved', expert: 'Priya' });
  });
});

/** What an episode says of where its question went, without the time, which no two share. */
const routeAlone = (routed: Routing | null | undefined) => ({
  ...routed,
  first: routed?.first === null ? null : routed?.first?.seat,
});

const DOWN = 'Status code: 500. The database is down';

describe('several experts through the doors', () => {
  it('routes a client’s question as it does one of our own agent, as a model and over MCP', async () => {
    environment.close();
    environment = await serveEnvironment({
      rename_workflow: () => ({ observation: { reward_type: 'server_error', error: DOWN }, reward: 0 }),
    });
    const own = start([FAILS, FAILS, ask('Bob'), FINAL], { condition: 'human+draft' });
    const mine = await own.waiting();
    own.supervisor.stop(mine.episode, { type: 'human', id: 'one' }, null);
    const [expected] = (await own.ended).consultations;
    const doors = await serveDoors({ roster: ROSTER, models: modelsByProfile() });
    try {
      for (const id of ['by-model', 'by-mcp']) {
        openTapped(doors.log, { id, name: id });
        tappedCall(doors.log, id, 1, 'rename_workflow', DOWN, 'server_error');
        tappedCall(doors.log, id, 2, 'rename_workflow', DOWN, 'server_error');
      }
      const drafted = (id: string) => doors.waiting(({ episode, draft }) => episode === id && draft !== null);
      const asked = doors
        .openai({ defaultHeaders: { 'X-Interject-Episode': 'by-model' } })
        .chat.completions.create({
          model: 'expert',
          messages: [{ role: 'user', content: 'Which one?' }],
          metadata: { interject_expert: 'Bob' },
        });
      doors.answer(await drafted('by-model'), 'The second.', PRIYA);
      const reply = (await asked) as unknown as { interject: object };
      const client = await connectMcp(doors.url, 'by-mcp');
      const { tools } = await client.listTools();
      const called = client.callTool({
        name: 'ask_expert',
        arguments: { question: 'Which one?', expert: 'Bob' },
      });
      doors.answer(await drafted('by-mcp'), 'The second.', PRIYA);
      const result = await called;
      await client.close();

      expect(routeAlone(expected?.routed)).toMatchObject({ expert: 'Rescuer', question: 'tool_errors' });
      for (const id of ['by-model', 'by-mcp']) {
        const [inTap] = doors.log.record(id).consultations;
        expect(routeAlone(inTap?.routed)).toEqual(routeAlone(expected?.routed));
        expect(inTap).toMatchObject({
          draft: { expert: 'Rescuer', model: 'large-model' },
          decision: { type: 'approved', expert: 'Priya' },
        });
      }
      expect(reply.interject).toMatchObject({ routed: { expert: 'Rescuer', by: 'rule' } });
      expect(result).toMatchObject({
        content: [
          { text: 'The second.' },
          { text: 'There is no expert "Bob" to ask here. Rescuer was asked instead.' },
        ],
        structuredContent: { routed: { expert: 'Rescuer', by: 'rule' } },
      });
      expect(tools[0]?.inputSchema.properties).toMatchObject({
        expert: { enum: ['Formatter', 'Rescuer', 'Priya'] },
      });
    } finally {
      await doors.close();
    }
  });
});

async function connectMcp(url: string, episode: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0.0.0' });
  const requestInit = { headers: { 'X-Interject-Episode': episode } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as never);
  return client;
}
