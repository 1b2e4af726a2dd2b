import { afterEach, beforeEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { connect } from '../support/tap.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
let serving: ServingConsole;
beforeEach(async () => {
  serving = await startServing(folder(), ['--port', '0']);
});
afterEach(async () => {
  await serving.kill();
  endTap(folder());
});

const tapUrl = (): string => (serving.ready['gateway'] as { tap: string }).tap;

/** What a client that comes now is told: the status and the reason, or null where it is let in. */
const comeIn = (): Promise<{ status: number; why: string } | null> =>
  new Promise((settle) => {
    const socket = new WebSocket(`${tapUrl().replace('http', 'ws')}/ws`);
    socket.on('error', () => undefined);
    socket.on('open', () => (socket.close(), settle(null)));
    socket.on('unexpected-response', (_, answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => (text += part.toString()));
      answer.on('end', () => {
        settle({ status: answer.statusCode ?? 0, why: (JSON.parse(text) as { detail: string }).detail });
      });
    });
  });

const rpc = async (method: string, params: object): Promise<{ status: number; body: unknown }> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${tapUrl()}/mcp`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.json() };
};

it('after one Ctrl+C `serve` refuses new clients, and ends once the last one that plays has left', async () => {
  const client = await connect(tapUrl());
  await client.reset();
  const created = await rpc('openenv/session/create', {});
  const { session_id: session } = (created.body as { result: { session_id: string } }).result;
  await rpc('tools/call', { name: 'list_workspaces', arguments: {}, session_id: session });
  serving.interrupt();
  await expect.poll(comeIn).toMatchObject({ status: 503, why: expect.stringContaining('is closing') });
  expect(await rpc('openenv/session/create', {})).toMatchObject({ status: 503 });

  // Those that play are served on, over either way.
  expect((await client.call('list_workspaces')).type).toBe('observation');
  expect(await rpc('tools/list', { session_id: session })).toMatchObject({ status: 200 });
  client.socket.close(1000);
  expect(await rpc('openenv/session/close', { session_id: session })).toMatchObject({ status: 200 });

  expect(await serving.ended).toBe(0);
});
