import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { openTapped } from '../../support/tapped.ts';

let doors: Doors;
let clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await doors.close();
});

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${doors.url}/mcp`), { requestInit: { headers } }) as never,
  );
  clients.push(client);
  return client;
}

const call = (client: Client, args: Record<string, unknown>, options = {}) =>
  client.callTool({ name: 'ask_expert', arguments: args }, undefined, options);
const said = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('');

const rpc = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${doors.url}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the expert as an MCP tool', () => {
  it('is one of two tools that the official client finds', async () => {
    doors = await serveDoors();
    const { tools } = await (await connect()).listTools();

    expect(tools.map(({ name }) => name)).toEqual(['ask_expert', 'expert_status']);
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual([
      'question',
      'context',
      'task',
      'tools',
      'urgency',
    ]);
  });

  it('puts the question before a person and gives back the answer', async () => {
    doors = await serveDoors();
    const client = await connect();
    const result = call(client, {
      question: 'Which one?',
      context: 'I got 422.',
      task: 'Rename it.',
      tools: ['find', 'rename'],
      urgency: 'high',
    });
    const item = await doors.waiting();
    doors.answer(item, 'The second.');

    expect(said(await result)).toBe('The second.');
    expect(item).toMatchObject({ via: 'mcp', asked_task: 'Rename it.', task: 'Rename it.' });
    expect(item.question).toBe('Urgency: high.\n\nWhich one?\n\nContext:\nI got 422.');
    expect(doors.log.record(item.episode)).toMatchObject({ status: 'ended' });
    expect(doors.log.record(item.episode).consultations[0]?.delivered).toMatchObject({ to: 'client' });
  });

  it('belongs to the tapped episode that the client names', async () => {
    doors = await serveDoors();
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
    const client = await connect({ 'X-Interject-Episode': 'rollout-7' });
    const result = call(client, { question: 'Which one?' });
    const item = await doors.waiting();
    doors.answer(item, 'The second.');
    await result;

    expect(item).toMatchObject({ episode: 'e1', link: { by: 'header', score: 1 } });
    expect(doors.log.record('e1').ended).toBeNull();
  });

  it('tells progress while a person thinks', async () => {
    doors = await serveDoors({ keepAliveMs: 20 });
    const client = await connect();
    const heard: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const result = call(
      client,
      { question: 'Which one?' },
      { onprogress: (one: (typeof heard)[0]) => heard.push(one) },
    );
    await expect.poll(() => heard.length).toBeGreaterThan(3);
    doors.answer(await doors.waiting(), 'The second.');
    await result;

    expect(heard[0]).toMatchObject({ total: 300, message: 'Your question waits for an expert.' });
    expect(heard.every(({ progress }, i) => i === 0 || progress > (heard[i - 1]?.progress ?? 0))).toBe(true);
  });

  it('takes a question back when the client cancels it', async () => {
    doors = await serveDoors();
    const client = await connect();
    const stop = new AbortController();
    const result = call(client, { question: 'Which one?' }, { signal: stop.signal });
    const item = await doors.waiting();
    stop.abort();

    await expect(result).rejects.toThrow();
    await expect
      .poll(() => doors.log.record(item.episode).consultations[0]?.decision)
      .toMatchObject({ type: 'cancelled' });
    expect(doors.log.projections.desk(9).total).toBe(0);
  });

  it('covers criteria that a question brings', async () => {
    doors = await serveDoors();
    const client = await connect();
    const result = call(client, { question: 'How?', context: 'SUCCESS CRITERIA:\nrow 2 is named Second' });
    const item = await doors.waiting();
    doors.answer(item, 'x');
    await result;

    expect(JSON.stringify(item)).not.toContain('named Second');
  });

  it('is not asked for an episode while the log has not all that was answered there, and says so', async () => {
    doors = await serveDoors({ recorded: () => Promise.resolve(false) });
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
    const client = await connect({ 'X-Interject-Episode': 'rollout-7' });

    const result = await call(client, { question: 'Which one?' });
    expect([result.isError, said(result)]).toEqual([true, expect.stringContaining('not yet recorded')]);
    expect(doors.log.projections.desk(1).total).toBe(0);
  });

  it('tells whether anybody is there', async () => {
    doors = await serveDoors();
    const client = await connect();

    expect(await client.callTool({ name: 'expert_status', arguments: {} })).toMatchObject({
      structuredContent: { experts_on_duty: 1, questions_waiting: 0, at_deadline: 'draft', deadline_s: 300 },
    });
  });
});

it('a question that an MCP client names is found again by its name in another session, and by nobody else', async () => {
  doors = await serveDoors();
  const ask = async (key: string) =>
    (await connect()).callTool({
      name: 'ask_expert',
      arguments: { question: 'Which one?' },
      _meta: { 'interject/idempotency_key': key },
    });
  const gone = await connect();
  const first = gone.callTool({
    name: 'ask_expert',
    arguments: { question: 'Which one?' },
    _meta: { 'interject/idempotency_key': 'mine' },
  });
  first.catch(() => undefined);
  const item = await doors.waiting();
  await gone.close();
  doors.answer(item, 'The second.');

  expect(said(await ask('mine'))).toBe('The second.');
  const other = ask('another');
  const theirs = await doors.waiting(({ episode }) => episode !== item.episode);
  doors.answer(theirs, 'The third.');
  expect(said(await other)).toBe('The third.');
});

describe('an MCP session', () => {
  const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } };

  it('speaks the version that the client asked for', async () => {
    doors = await serveDoors();
    const response = await rpc(hello);

    expect(response.headers.get('mcp-session-id')).toMatch(/.{30}/);
    expect(await response.json()).toMatchObject({ result: { protocolVersion: '2025-03-26' } });
  });

  it.each([
    ['half a body', '{"jsonrpc":', 400, -32_700],
    ['no message', '{"hello": 1}', 400, -32_600],
    ['an empty batch', '[]', 400, -32_600],
    ['a number', '7', 400, -32_600],
    ['9 MiB', `"${'x'.repeat(9 * 1024 * 1024)}"`, 413, -32_600],
  ])('refuses %s clearly', async (_, body, status, code) => {
    doors = await serveDoors();
    const response = await rpc(body);

    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  });
});
