import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { auditEnvironment, type AuditCheck } from '../../src/main/environments/audit.ts';
import { askServers, openEnvServer } from '../../src/main/environments/openenv.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { createFlow, spec } from '../support/flow.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import type { Address } from '../../src/main/openenv/address.ts';
import { GRID_ACTION } from '../support/actionServer.ts';
import { native, replies } from '../support/stepIn.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Broken = {
  schema?: unknown;
  /** What an upgrade is answered with in place of a socket. */
  upgrade?: string;
  /** What a frame is answered with. */
  answer?: (socket: WebSocket) => void;
};

async function serve({ schema, upgrade, answer }: Broken): Promise<string> {
  const sockets = new WebSocketServer({ noServer: true });
  const http = createServer((request, response) => {
    const isThere = request.url === '/schema' && schema !== undefined;
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isThere ? JSON.stringify({ action: schema }) : '<html>No such page</html>');
  });
  http.on('upgrade', (request, socket, head) => {
    if (upgrade !== undefined) return void socket.end(upgrade);
    sockets.handleUpgrade(request, socket, head, (one) => one.on('message', () => answer?.(one)));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const one of sockets.clients) one.terminate();
    http.closeAllConnections();
    return new Promise((resolve) => http.close(resolve));
  });
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

async function lastCheck(url: string): Promise<AuditCheck | undefined> {
  const environment = openEnvServer(serverSpec('a', 'a', url), {
    workingAddress: (shown) => shown,
    ...askServers(),
    seed: () => Promise.resolve(null),
    taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
  });
  let last: AuditCheck | undefined;
  for await (const check of auditEnvironment(environment, new AbortController().signal)) last = check;
  return last;
}

const run = async (url: string) => {
  const policy = replies(native('grid_world_action', { action: 'UP' }));
  const described = (address: Address) => describeServer(address);
  const flow = createFlow({ policy, briefing: null, described });
  return flow.supervisor.start(spec(url, { scenario: null, task_idx: null, condition: 'none' })).ended;
};

const FAULTS: readonly [fault: string, broken: Broken, says: RegExp][] = [
  [
    'a page in place of a socket',
    { upgrade: 'HTTP/1.1 200 OK\r\n\r\n<html>' },
    /HTTP 200, not a socket.*<address>\/ws/,
  ],
  [
    'no such address',
    { upgrade: 'HTTP/1.1 404 Not Found\r\n\r\n' },
    /HTTP 404, not a socket.*Check the path/,
  ],
  [
    'a redirect',
    { upgrade: 'HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\n\r\n' },
    /HTTP 307, not a socket/,
  ],
  ['text that is no JSON', { answer: (one) => one.send('<html>') }, /text that is no JSON \(<html>\)/],
  ['a frame of another shape', { answer: (one) => one.send('{"type":"pong"}') }, /a frame of another shape/],
  ['a binary frame', { answer: (one) => one.send(Buffer.from('x')) }, /a binary frame/],
  [
    'a close with a reason',
    { answer: (one) => one.close(1011, 'out of memory') },
    /closed the connection \(1011 out of memory\)/,
  ],
];

describe.each([
  ['tools', undefined],
  ['actions', GRID_ACTION],
])('a half-broken environment of %s', (_kind, schema) => {
  it.each(FAULTS)('that answers with %s is named by doctor as by run', async (_fault, broken, says) => {
    const url = await serve({ ...broken, schema });
    const check = await lastCheck(url);
    expect(check?.status).toBe('fail');
    expect(check?.evidence).toMatch(says);
    const { ended } = await run(url);
    expect(ended?.outcome).toBe('error');
    expect(`${ended?.failure?.message ?? ''} ${ended?.failure?.next ?? ''}`).toMatch(says);
    expect(ended?.failure?.next).not.toBeNull();
  });
});

it('takes an action whose schema refers to itself in a circle for none, and says that there is nothing to do', async () => {
  const schema = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } };
  const answer = (one: WebSocket): void =>
    one.send(JSON.stringify({ type: 'observation', data: { observation: {}, reward: null, done: false } }));
  expect(await lastCheck(await serve({ schema, answer }))).toMatchObject({
    name: 'actions',
    status: 'fail',
    evidence: expect.stringContaining('it offers no tools') as string,
  });
});

/** A server of tools that answers everything with this list. */
const listing = (tools: readonly object[]) =>
  serve({
    answer: (one) =>
      one.send(
        JSON.stringify({ type: 'observation', data: { observation: { tools }, reward: null, done: false } }),
      ),
  });

it('names the tools that a server lists twice', async () => {
  const tool = { name: 'look', description: 'Looks.', input_schema: { type: 'object' } };
  expect(await lastCheck(await listing([tool, tool]))).toMatchObject({
    name: 'actions',
    status: 'fail',
    evidence: 'tools of the same name: look',
  });
});

it('drives tools whose arguments refer to themselves in a circle, which ask for nothing certain', async () => {
  const input_schema = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } };
  const url = await listing([{ name: 'grid_world_action', description: 'Loops.', input_schema }]);
  expect((await lastCheck(url))?.status).not.toBe('fail');
  const { turns, ended } = await run(url);
  expect(turns[0]?.call?.returned).not.toBeNull();
  expect(ended?.outcome).toBe('done');
});
