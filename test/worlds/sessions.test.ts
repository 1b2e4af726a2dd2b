import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SERVER_FRAME_MAX } from '../../src/shared/wire.ts';
import { PACK, type Served, serveWorlds } from '../support/worlds.ts';

let served: Served | null = null;
const serve = async (options: Parameters<typeof serveWorlds>[0] = {}): Promise<Served> => {
  served = await serveWorlds(options);
  return served;
};
afterEach(async () => {
  await served?.close();
  served = null;
  vi.useRealTimers();
});

const rpc = async (url: string, method: string, params: object = {}): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Record<string, unknown>;
};
const openOverHttp = async (url: string): Promise<string> => {
  const { result } = await rpc(url, 'openenv/session/create');
  return (result as { session_id: string }).session_id;
};

describe('sessions side by side', () => {
  it('do not see what another one changed', async () => {
    const { talk } = await serve();
    const [first, second] = [await talk(), await talk()];
    await first.reset({ scenario: PACK, task_idx: 1 });
    await second.reset({ scenario: PACK, task_idx: 1 });

    await first.call('set_workflow_status', { workflow_id: 103, status: 'paused' });

    expect([await first.verify(), await second.verify()]).toEqual(['complete', 'others']);
  });

  it('start over with a reset: the same socket, a fresh world', async () => {
    const { talk } = await serve();
    const client = await talk();
    await client.reset({ scenario: PACK, task_idx: 1 });
    await client.call('set_workflow_status', { workflow_id: 103, status: 'paused' });

    await client.reset({ scenario: PACK, task_idx: 1 });

    expect(await client.verify()).toBe('others');
    expect(await client.steps()).toBe(1);
  });

  it('are a hundred at once, each with its own verdict', async () => {
    const { talk, worlds } = await serve();
    const clients = await Promise.all(Array.from({ length: 100 }, () => talk()));

    const verdicts = await Promise.all(
      clients.map(async (client, index) => {
        const task_idx = index % 10;
        await client.reset({ scenario: PACK, task_idx });
        const { reference = [], rehearsal } = worlds.briefing(PACK, task_idx) ?? {};
        const calls = index % 2 === 0 ? reference : reference.slice(0, 1);
        for (const { tool, args } of calls) await client.call(tool, args);
        return client.verify(rehearsal?.final);
      }),
    );

    expect(verdicts).toEqual(clients.map((_client, index) => (index % 2 === 0 ? 'complete' : 'others')));
  });

  it('give equal results for equal calls, whenever they run', async () => {
    let now = 0;
    const { talk, worlds } = await serve({ clock: () => (now += 86_400_000) });
    const runs = [];
    for (let run = 0; run < 2; run += 1) {
      const client = await talk();
      await client.reset({ scenario: PACK, task_idx: 8 });
      const answers = [];
      for (const { tool, args } of worlds.briefing(PACK, 8)?.reference ?? [])
        answers.push((await client.call(tool, args)).data.observation);
      runs.push(answers);
    }

    expect(runs[0]).toEqual(runs[1]);
  });
});

describe('frames sent without waiting', () => {
  it('are answered in their order, one answer each', async () => {
    const { talk } = await serve();
    const client = await talk();
    client.socket.send(JSON.stringify({ type: 'reset', data: { scenario: PACK, task_idx: 0 } }));
    const ids = Array.from({ length: 40 }, (_unused, index) => 101 + (index % 30));
    for (const workflow_id of ids) {
      const data = { type: 'call_tool', tool_name: 'get_workflow', arguments: { workflow_id } };
      client.socket.send(JSON.stringify({ type: 'step', data }));
    }
    client.socket.send('{"type":"state"}');

    await client.next();
    const answered: unknown[] = [];
    for (const _id of ids) {
      const { data } = JSON.parse(await client.next()) as { data: { observation: { tool_result: string } } };
      const result = JSON.parse(data.observation.tool_result) as { workflow: { workflow_id: number } };
      answered.push(result.workflow.workflow_id);
    }

    expect(answered).toEqual(ids);
    expect(await client.next()).toBe('{"type":"state","data":{"episode_id":"id-2","step_count":40}}');
  });
});

describe('a client that sends without reading', () => {
  it('is held up, and gets every answer in order once it reads', async () => {
    const { talk } = await serve();
    const client = await talk();
    await client.reset({ scenario: PACK, task_idx: 0 });
    const { data } = await client.say({ type: 'step', data: { type: 'list_tools' } });
    // Twice what the server is willing to keep for a client that does not read.
    const count = Math.ceil((64 * 1024 * 1024) / JSON.stringify(data).length);

    client.socket.pause();
    for (let sent = 0; sent < count; sent += 1) {
      client.socket.send('{"type":"step","data":{"type":"list_tools"}}');
      client.socket.send('{"type":"state"}');
    }
    client.socket.resume();
    const steps: number[] = [];
    for (let answered = 0; answered < count; answered += 1) {
      await client.next();
      const { data: state } = JSON.parse(await client.next()) as { data: { step_count: number } };
      steps.push(state.step_count);
    }

    expect(steps).toEqual(Array.from({ length: count }, (_unused, index) => index + 2));
  });
});

describe('frames sent after the end of a conversation', () => {
  it.each(['{"type":"close"}', '[]'])('that ended with %s do nothing', async (last) => {
    const { talk, sessions } = await serve();
    const client = await talk();
    const step = (tool_name: string, args: object): string =>
      JSON.stringify({ type: 'step', data: { type: 'call_tool', tool_name, arguments: args } });

    client.socket.send(last);
    client.socket.send(JSON.stringify({ type: 'reset', data: { scenario: PACK, task_idx: 0 } }));
    client.socket.send(step('done', { keep_session: true }));
    await client.closed;

    expect(existsSync(sessions)).toBe(false);
  });
});

describe('the size of a frame', () => {
  it('is taken up to 16 MiB', async () => {
    const { talk } = await serve();
    const client = await talk();
    const frame = (padding: number): string => `{"type":"nope","padding":"${'x'.repeat(padding)}"}`;
    const padding = SERVER_FRAME_MAX - frame(0).length;

    expect(await client.raw(frame(padding))).toContain('UNKNOWN_TYPE');
  });

  it('over 16 MiB closes the socket with 1009, and frees its session', async () => {
    const { talk } = await serve({ capacity: 1 });
    const client = await talk();

    client.socket.send('x'.repeat(SERVER_FRAME_MAX + 1));

    expect((await client.closed).code).toBe(1009);
    expect(await (await talk()).steps()).toBe(0);
  });
});

describe('a server that is full', () => {
  it('says so unasked right after the socket opened, then closes it with 1000', async () => {
    const { talk } = await serve({ capacity: 1 });
    await talk();

    const second = await talk();

    expect(await second.next()).toBe(
      '{"type":"error","data":{"message":"Server at capacity: 1/1 sessions active. Cannot accept new connections.","code":"CAPACITY_REACHED","active_sessions":1,"max_sessions":1}}',
    );
    expect((await second.closed).code).toBe(1000);
  });

  it('has room again as soon as a client said close', async () => {
    const { talk } = await serve({ capacity: 1 });
    const first = await talk();
    first.socket.send('{"type":"close"}');
    await first.closed;

    expect(await (await talk()).steps()).toBe(0);
  });

  it('counts sessions that were opened over HTTP', async () => {
    const { url } = await serve({ capacity: 1 });
    const session = await openOverHttp(url);

    expect(await rpc(url, 'openenv/session/create')).toMatchObject({
      error: { code: -32000, data: { active_sessions: 1, max_sessions: 1 } },
    });
    expect(await rpc(url, 'openenv/session/close', { session_id: session })).toMatchObject({
      result: { session_id: session, closed: true },
    });
    expect(await rpc(url, 'openenv/session/create')).toHaveProperty('result');
  });
});

describe('a session opened over HTTP', () => {
  it('is played over a socket and over HTTP alike, as the Python client since 0.6 does', async () => {
    const { url, talk } = await serve({ capacity: 1 });
    const session_id = await openOverHttp(url);
    const client = await talk(`/ws?session_id=${session_id}`);
    await client.reset({ scenario: PACK, task_idx: 1 });

    const { result } = await rpc(url, 'tools/list', { session_id });
    const called = await rpc(url, 'tools/call', {
      session_id,
      name: 'set_workflow_status',
      arguments: { workflow_id: 103, status: 'paused' },
    });

    expect((result as { tools: { name: string }[] }).tools).toHaveLength(25);
    expect(called).toMatchObject({
      result: { reward_type: 'tool_call_ok', reward: 0, done: false, metadata: {} },
    });
    expect(await client.verify()).toBe('complete');
    expect(await client.steps()).toBe(3);
  });

  it('outlives a socket, takes one at a time, and ends when it is closed', async () => {
    const { url, talk } = await serve();
    const session_id = await openOverHttp(url);
    const path = `/ws?session_id=${session_id}`;
    const first = await talk(path);
    await first.reset({ scenario: PACK, task_idx: 0, episode_id: 'kept' });

    const second = await talk(path);
    expect(await second.next()).toContain(`Session ${session_id} already has an attached WebSocket`);
    first.socket.send('{"type":"close"}');
    await first.closed;
    const third = await talk(path);
    expect((await third.say({ type: 'state' })).data['episode_id']).toBe('kept');
    expect(await rpc(url, 'openenv/session/close', { session_id })).toMatchObject({
      result: { closed: false, closing: true },
    });
    third.socket.send('{"type":"close"}');
    await third.closed;

    const unknown = await talk(path);
    expect(await unknown.next()).toBe(
      `{"type":"error","data":{"message":"Unknown session_id: ${session_id}","code":"SESSION_ERROR"}}`,
    );
    expect((await unknown.closed).code).toBe(1000);
  });
});

describe('the door', () => {
  it('has one socket; another path is closed with a reason', async () => {
    const { talk } = await serve();

    expect(await (await talk('/mcp')).closed).toEqual({ code: 1008, reason: 'no socket at /mcp, use /ws' });
  });

  it('counts the worlds in play by scenario, and how long they have been idle', async () => {
    let now = 0;
    const { url, talk } = await serve({ clock: () => now });
    await (await talk()).reset({ scenario: PACK, task_idx: 0 });
    await talk();
    now = 12_340;

    const stats: unknown = await (await fetch(`${url}/stats`)).json();

    expect(stats).toEqual({
      total_sessions: 1,
      max_idle_time_config: 600,
      cleanup_interval_config: 5,
      allowed_idle_sessions_config: 3000,
      max_idle_s: 12.3,
      scenarios: { [PACK]: 1 },
    });
  });

  it('tells every client when the server goes', async () => {
    const { talk, worlds } = await serve();
    const client = await talk();

    await worlds.close();

    expect((await client.closed).code).toBe(1001);
  });
});

describe('clients that are gone', () => {
  it('lose their session when they answer no ping; those that answer keep it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { talk } = await serve({ capacity: 2 });
    const silent = await talk('/ws', { autoPong: false });
    const well = await talk();
    const ponged = new Promise((resolve) => well.socket.once('ping', resolve));

    vi.advanceTimersByTime(20_000);
    await ponged;
    // An answer after the pong proves that the pong has been read.
    await well.steps();
    vi.advanceTimersByTime(20_000);

    expect((await silent.closed).code).toBe(1006);
    expect(await well.steps()).toBe(0);
    expect(await (await talk()).steps()).toBe(0);
  });

  it('are not taken for gone after the world itself was stopped for two minutes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let now = 0;
    const { talk, url } = await serve({ clock: () => now });
    const client = await talk();
    const session_id = await openOverHttp(url);
    const pinged = new Promise((resolve) => client.socket.once('ping', resolve));

    // A timer that was due meanwhile comes once, late.
    now = 120_000;
    vi.advanceTimersByTime(20_000);
    await pinged;

    expect(await client.steps()).toBe(0);
    expect(await rpc(url, 'tools/list', { session_id })).toHaveProperty('result');
  });

  it('do not hold a session they opened over HTTP for ever', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let now = 0;
    const { url } = await serve({ capacity: 1, clock: () => now });
    const session_id = await openOverHttp(url);

    now = 600_000;
    vi.advanceTimersByTime(5_000);
    expect(await rpc(url, 'tools/list', { session_id })).toHaveProperty('result');
    now = 1_200_001;
    vi.advanceTimersByTime(5_000);

    expect(await rpc(url, 'tools/list', { session_id })).toMatchObject({ error: { code: -32602 } });
    expect(await rpc(url, 'openenv/session/create')).toHaveProperty('result');
  });
});
