// Eight rollouts of one task at once, over real sockets: a name behind the key at the tap, the expert and the agent's
// model, or none. The agent's model and the expert are scripted; whatever goes between is the product.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { connect, openTap, TOKEN, type OpenTap } from '../support/tap.ts';
import { serveDoors, type Doors } from '../support/doors.ts';
import { makeRows } from '../support/exporting.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { serveWorlds, type Served } from '../support/worlds.ts';

const ROLLOUTS = 8;
const TASK = { scenario: 'loomline_workflows', task_idx: 0 };
const ASK = { name: 'ask_expert', arguments: '{"task": "x"}' };

let worlds: Served;
let tap: OpenTap;
let model: OpenAiServer;
let doors: Doors;
beforeAll(async () => {
  worlds = await serveWorlds();
  tap = await openTap(worlds.url, { may_act: false });
  model = await startOpenAiServer(scriptedAgent);
  doors = await serveDoors({
    log: tap.log,
    recorded: () => tap.tap.recorded(),
    agent: { provider: 'openai', baseUrl: model.url, apiKey: 'm', model: 'student', apiVersion: null },
  });
  tap.log.subscribe(({ event, stream }) => {
    if (event.kind !== 'consultation.asked') return;
    const { consultation } = event;
    setTimeout(() => {
      const seen_seq = tap.log.record(stream).seq;
      const timing = { first_seen_at: null, active_ms: 1 };
      const answer = { episode: stream, consultation, text: `For ${stream}.`, draft: null, seen_seq, timing };
      doors.desk.answer(answer, { type: 'human', id: 'one' });
    }, 20);
  });
});
afterAll(async () => {
  await doors.close();
  await tap.close();
  await model.close();
  await worlds.close();
});

type Chat = { role: string } & Record<string, unknown>;

/** Looks, fails, asks and says that it is done, whatever it reads. */
function scriptedAgent(body: Record<string, unknown>) {
  const said = (body['messages'] as Chat[]).filter(({ role }) => role === 'assistant').length;
  const calls = [
    { name: 'list_workspaces', arguments: '{}' },
    { name: 'set_workflow_status', arguments: '{"workflow_id": 9000, "status": "active"}' },
    ASK,
  ];
  const call = calls[said];
  return call === undefined
    ? { content: 'Done.' }
    : { content: 'I go on.', toolCalls: [{ ...call, id: `c${String(said)}` }] };
}

/** A rollout as a trainer's script has it: its environment, its expert and its agent's model. */
async function rollout(name: string | null, everybody: () => Promise<void>) {
  const behind = name === null ? '' : `~${name}`;
  const agent = doors.openai({ baseURL: `${doors.url}/agent/v1`, apiKey: `${TOKEN}${behind}` });
  const expert = doors.openai({ apiKey: `${TOKEN}${behind}` });
  const env = await connect(`${tap.url}${behind}`);
  const start = await env.reset(TASK);
  const messages: Chat[] = [{ role: 'user', content: String(start.data.observation['task']) }];
  let asked = { episode: '', link: {} };
  let advice = '';
  for (;;) {
    const { choices } = await agent.chat.completions.create({
      model: 'student',
      messages: messages as never,
    });
    const reply = choices[0]?.message as unknown as Chat & {
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    };
    messages.push({
      role: 'assistant',
      content: reply['content'],
      ...(reply.tool_calls ? { tool_calls: reply.tool_calls } : {}),
    });
    const [call] = reply.tool_calls ?? [];
    if (call === undefined) break;
    let content: string;
    if (call.function.name === 'ask_expert') {
      await everybody();
      const question = [
        { role: 'user' as const, content: 'I called list_workspaces and set_workflow_status. What now?' },
      ];
      const answer = await expert.chat.completions.create({ model: 'expert', messages: question });
      asked = (answer as unknown as { interject: typeof asked }).interject;
      content = advice = answer.choices[0]?.message.content ?? '';
    } else {
      const { data } = await env.call(call.function.name, JSON.parse(call.function.arguments) as object);
      content = JSON.stringify(data.observation);
    }
    messages.push({ role: 'tool', tool_call_id: call.id, content });
  }
  await env.call('verify', { verifier_mode: 'code', final_answer: 'Done.' });
  await env.call('done');
  env.socket.close();
  return { name, asked, advice };
}

/** Resolves for all once as many have come. */
function barrier(size: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    come += 1;
    if (come === size) open();
    return all;
  };
}

/** Eight at once; their episodes in the log, once all are over. */
async function eight(nameOf: (number: number) => string | null) {
  const before = await tap.episodes(0);
  const everybody = barrier(ROLLOUTS);
  const told = await Promise.all(Array.from({ length: ROLLOUTS }, (_, i) => rollout(nameOf(i), everybody)));
  const asks = told.map(({ asked }) => asked.episode);
  const all = (await tap.episodes(before.length + ROLLOUTS)).filter((id) => !before.includes(id));
  const tapped = all.filter((id) => tap.log.record(id).tapped !== null);
  for (const id of tapped) await tap.until(id, ({ ended }) => ended);
  return { told, asks, tapped };
}

const rowsOf = (episodes: string[]) =>
  makeRows(tap.log, 'sft_messages', { episodes, verdict: 'any', privilege: 'flag', include: ['duplicates'] });

describe('eight rollouts of one task at once', () => {
  it('with a name behind the key: every question is in its own rollout, its answer too, and all of them make rows', async () => {
    const { told, tapped } = await eight((number) => `rollout-${String(number)}`);

    expect(tapped).toHaveLength(ROLLOUTS);
    for (const { name, asked, advice } of told) {
      expect(asked).toMatchObject({ link: { by: 'key', score: 1 } });
      expect(advice).toBe(`For ${asked.episode}.`);
      expect(tap.log.record(asked.episode)).toMatchObject({
        started: { source: 'tap', trainer: { episode: name } },
        consultations: [{ turn: 3, trigger: 'agent_call', delivered: { as: 'advice' } }],
      });
    }
    for (const id of tapped) await tap.until(id, ({ conversation }) => conversation);
    const { rows, dropped } = await rowsOf(tapped);
    expect(new Set(rows.map(({ episode }) => episode))).toEqual(new Set(tapped));
    expect(dropped).toEqual({});
  });

  it('without a name: every question is answered, visibly of nobody, in no rollout, and none of them makes rows', async () => {
    const { told, asks, tapped } = await eight(() => null);

    expect(told.map(({ asked: { link } }) => link)).toEqual(
      Array(ROLLOUTS).fill({ by: 'none', score: 0, why: 'unnamed' }),
    );
    expect(new Set(asks).size).toBe(ROLLOUTS);
    for (const { asked, advice } of told) expect(advice).toBe(`For ${asked.episode}.`);
    for (const id of asks) expect(tap.log.record(id).started?.source).toBe('ask');
    for (const id of tapped) expect(tap.log.record(id).consultations).toEqual([]);
    const { rows, dropped } = await rowsOf([...tapped, ...asks]);
    expect(rows).toEqual([]);
    expect(dropped).toEqual({ no_transcript: 2 * ROLLOUTS });
  });

  it('with one name for all: no question is in any rollout, and each client is told why', async () => {
    const { told, tapped } = await eight(() => 'everybody');

    expect(told.map(({ asked: { link } }) => link)).toEqual(
      Array(ROLLOUTS).fill({ by: 'none', score: 0, why: 'ambiguous' }),
    );
    for (const id of tapped)
      expect(tap.log.record(id)).toMatchObject({ consultations: [], conversation: null });
  });
});

describe('a name in the tap’s address', () => {
  const opened = async (url: string, path = '/ws'): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
      socket.on('open', () => (socket.close(), resolve(101)));
      socket.on('error', () => undefined);
    });

  it('is 1 to 64 characters of a name, written with ~ or %7E, and the upstream never sees it', async () => {
    expect(await opened(`${tap.url}~rollout-7`)).toBe(101);
    expect(await opened(`${tap.url}%7Erollout-7`)).toBe(101);
    for (const name of ['', 'a%20b', 'x'.repeat(65), 'a~b'])
      expect(await opened(`${tap.url}~${name}`)).toBe(400);
    expect(await opened(`${tap.url.replace(TOKEN, 'wrong')}~rollout-7`)).toBe(401);
    const health = await fetch(`${tap.url}~rollout-7/health`);
    expect([health.status, (await fetch(`${tap.url}~a%20b/health`)).status]).toEqual([200, 400]);
  });

  it('names an episode that is played over HTTP', async () => {
    const rpc = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${tap.url}~by-http/mcp`, { method: 'POST', headers, body });
      return ((await response.json()) as { result: Record<string, unknown> }).result;
    };
    const before = (await tap.episodes(0)).length;
    const { session_id } = await rpc('openenv/session/create', {});
    await rpc('tools/call', { name: 'list_workspaces', arguments: {}, session_id });

    const id = (await tap.episodes(before + 1)).at(-1) ?? '';
    expect((await tap.until(id, ({ tapped }) => tapped)).started?.trainer?.episode).toBe('by-http');
  });

  it('gives way to what the reset says itself, and is kept while the key is not', async () => {
    const before = (await tap.episodes(0)).length;
    const env = await connect(`${tap.url}~behind`);
    await env.reset({ ...TASK, interject_episode: 'said' } as never);
    await env.reset(TASK);
    await tap.episodes(before + 2);
    env.socket.close();

    const ids = (await tap.episodes(before + 2)).slice(-2);
    for (const id of ids) await tap.until(id, ({ ended }) => ended);
    expect(ids.map((id) => tap.log.record(id).started?.trainer?.episode)).toEqual(['said', 'behind']);
    expect(JSON.stringify(ids.map((id) => tap.log.read(id)))).not.toContain(TOKEN);
  });
});
