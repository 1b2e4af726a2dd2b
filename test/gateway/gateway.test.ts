// The gateway behind a real port: keys, limits, refusals in each door's words, streams that stop when a client leaves.
import { createServer, request as connectHttp } from 'node:http';
import { readFileSync } from 'node:fs';
import { request as connectTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { createDoorWatch } from '../../src/main/gateway/gatewayContext.ts';
import { createGateway, type GatewayDoors } from '../../src/main/gateway/gateway.ts';
import { createFrontDoor } from '../../src/main/hosts/serve.ts';
import { openListener, type Listening } from '../../src/main/hosts/listener.ts';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { openKeys, type GatewayKeys } from '../../src/main/settings/keys.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
let keys: GatewayKeys;
let listening: Listening;
let secret = '';
let hasMcp = true;
let tapPort: number | null = null;
const watch = createDoorWatch(['expert', 'mcp', 'agent'], Date.now, () => undefined);
/** What the slow door is told, and what it makes a client wait for. */
const gone: string[] = [];
let stream: ReadableStreamDefaultController<Uint8Array> | null = null;

const doors: GatewayDoors = {
  expert: {
    handle: async (request, { key, rollout, signal }) => {
      signal.addEventListener('abort', () => gone.push('aborted'));
      if (new URL(request.url).pathname !== '/v1/stream') {
        const body = await request.text();
        const { pathname } = new URL(request.url);
        return Response.json({ key: key.name, rollout, path: pathname, size: body.length });
      }
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          stream = controller;
          controller.enqueue(new TextEncoder().encode(': waiting\n\n'));
        },
        cancel: () => void gone.push('cancelled'),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  },
  mcp: { handle: async () => Response.json({ jsonrpc: '2.0' }) },
  transcripts: { handle: async () => Response.json({ stored: true }) },
  curriculum: { handle: async () => Response.json({ decided: true }) },
};

const create = (scopes: ('expert' | 'mcp' | 'tap' | 'console')[], limits = {}): string =>
  keys.create({ name: 'trainer', scopes, environment: null, per_minute: null, at_once: null, ...limits })
    .secret;

beforeEach(async () => {
  keys = openKeys({
    file: (name) => join(folder(), name),
    secrets: createFileSecrets(folder()),
    clock: Date.now,
    monotonic: () => performance.now(),
    schedule: () => () => undefined,
  });
  secret = create(['expert']);
  hasMcp = true;
  tapPort = null;
  gone.length = 0;
  const gateway = createGateway({
    keys,
    doors,
    watch,
    hasMcp: () => hasMcp,
    closed: () => null,
    report: () => undefined,
  });
  const page = {
    handle: async () => new Response('the console'),
    accept: () => undefined,
    refuse: () => 404,
  };
  const door = createFrontDoor(page, { ...gateway, tapPort: () => tapPort });
  listening = await openListener(door, { host: '127.0.0.1', port: 0, maxPayload: 1024, origin: 'same' });
});
afterEach(async () => {
  await listening.close();
});

const post = (path: string, headers: Record<string, string> = {}, body = '{}') =>
  fetch(`${listening.url}${path}`, { method: 'POST', headers, body });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a client without the right key', () => {
  it('is told so in the words of OpenAI’s clients', async () => {
    const missing = await post('/v1/chat/completions');
    const wrong = await post('/v1/chat/completions', bearer('ij-000000000000-wrong'));

    expect([missing.status, wrong.status]).toEqual([401, 401]);
    expect(await missing.json()).toMatchObject({
      error: { type: 'authentication_error', code: 'invalid_api_key', message: /a key is missing/ },
    });
    expect(keys.audit()[0]).toMatchObject({ what: 'wrong_key', door: 'expert', times: 2 });
  });

  it('is told in the same words that it came under a name that is not served here', async () => {
    const said = (path: string): Promise<{ status: number; body: string }> =>
      new Promise((resolve, reject) => {
        connectHttp(`${listening.url}${path}`, { headers: { host: 'evil.example' } }, (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        })
          .on('error', reject)
          .end();
      });
    const [openai, mcp, page] = [await said('/v1/models'), await said('/mcp'), await said('/')];

    expect([openai.status, mcp.status, page.status]).toEqual([403, 403, 403]);
    expect(JSON.parse(openai.body)).toMatchObject({
      error: { code: 'permission_denied', message: /This name is not served here/ },
    });
    expect(JSON.parse(mcp.body)).toMatchObject({ jsonrpc: '2.0', error: { message: /not served here/ } });
    expect(page.body).toContain('This name is not served here');
  });

  it('is told so as JSON-RPC at the MCP door, and plainly elsewhere', async () => {
    const mcp = await post('/mcp');
    const episodes = await post('/episodes/e1/messages');

    expect(await mcp.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    expect(await episodes.json()).toMatchObject({ code: 'invalid_api_key', message: 'a key is missing' });
  });

  it('learns which scope a door needs', async () => {
    const response = await post('/mcp', bearer(secret));

    expect(response.status).toBe(403);
    expect(await response.text()).toContain('it needs mcp');
    const steer = await post('/curriculum/next', bearer(secret));
    expect(steer.status).toBe(403);
    expect(await steer.text()).toContain('it needs tap');
  });

  it('is not let in through the console’s own token or a key to the console', async () => {
    expect((await post('/v1/models', bearer(create(['console'])))).status).toBe(403);
  });
});

describe('a client with a key', () => {
  it('may give it as bearer, as api-key, or in the path', async () => {
    const ways = await Promise.all([
      post('/v1/models', bearer(secret)),
      post('/v1/models', { 'api-key': secret }),
      post(`/t/${secret}/v1/models`),
    ]);

    const azure = await post('/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21', {
      'api-key': secret,
    });

    expect(await azure.json()).toMatchObject({ key: 'trainer', path: /deployments/ });
    expect(await Promise.all(ways.map((response) => response.json()))).toEqual(
      Array(3).fill({ key: 'trainer', rollout: null, path: '/v1/models', size: 2 }),
    );
  });

  it('may put its rollout’s name behind the key, wherever that stands, and however it writes the ~', async () => {
    const named = (name: string) => `${secret}~${name}`;
    const ways = await Promise.all([
      post('/v1/models', bearer(named('rollout-7'))),
      post('/v1/models', { 'api-key': named('rollout-7') }),
      post('/v1/models', { 'x-api-key': named('rollout-7') }),
      post('/v1/models', bearer(`${secret}%7Erollout-7`)),
      post(`/t/${named('rollout-7')}/v1/models`),
      post(`/t/${secret}%7erollout-7/v1/models`),
    ]);

    const answers = (await Promise.all(ways.map((response) => response.json()))) as { rollout: string }[];
    expect(answers.map(({ rollout }) => rollout)).toEqual(Array(6).fill('rollout-7'));
    const longest = `A.b_c-${'9'.repeat(58)}`;
    expect(await (await post('/v1/models', bearer(named(longest)))).json()).toMatchObject({
      rollout: longest,
    });
  });

  it('is refused a name that is none with 400, and the key is in no answer', async () => {
    for (const name of ['', 'a b', 'ä', 'x'.repeat(65), 'a~b', 'a/b']) {
      const given = Buffer.from(`Bearer ${secret}~${name}`, 'utf8').toString('latin1');
      const refused = await post('/v1/models', { authorization: given });

      expect(refused.status).toBe(400);
      const words = await refused.text();
      expect(words).toContain('1 to 64 letters');
      expect(words).not.toContain(secret);
    }
    expect((await post('/v1/models', bearer('ij-000000000000-wrong~rollout-7'))).status).toBe(401);
  });

  it('has one limit for all of its names', async () => {
    const limited = create(['expert'], { per_minute: 2 });
    const statuses: number[] = [];
    for (const name of ['a', 'b', 'c'])
      statuses.push((await post('/v1/models', bearer(`${limited}~${name}`))).status);

    expect(statuses).toEqual([200, 200, 429]);
  });

  it('is refused beyond its limits with 429 and when to come again', async () => {
    const limited = create(['expert'], { per_minute: 1 });
    await post('/v1/models', bearer(limited));

    const second = await post('/v1/models', bearer(limited));

    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('60');
    expect(await second.json()).toMatchObject({
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    });
  });

  it('is refused a body over 32 MiB with 413 that names the limit, announced or not', async () => {
    const large = 'x'.repeat(32 * 1024 * 1024 + 1);
    const announced = await post('/v1/chat/completions', bearer(secret), large);
    const chunked = await fetch(`${listening.url}/v1/chat/completions`, {
      method: 'POST',
      headers: bearer(secret),
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);

    expect([announced.status, chunked.status]).toEqual([413, 413]);
    expect(await announced.json()).toMatchObject({
      error: { code: 'request_too_large', message: /32 MiB/ },
    });
  });

  it('finds the MCP door shut while it is off', async () => {
    hasMcp = false;
    const response = await post('/mcp', bearer(create(['mcp'])));

    expect(response.status).toBe(404);
    expect(await response.text()).toContain('--mcp');
  });
});

it('pages of another site are refused; of a loopback port they are not', async () => {
  const from = (origin: string) => post('/v1/models', { ...bearer(secret), origin });

  expect((await from('https://evil.example')).status).toBe(403);
  expect((await from('null')).status).toBe(403);
  expect((await from('http://localhost:8888')).status).toBe(200);
  expect((await from('http://127.0.0.1:9')).status).toBe(200);
});

describe('a stream', () => {
  const open = () =>
    new Promise<{ first: string; leave: () => void }>((resolve, reject) => {
      const request = connectHttp(`${listening.url}/v1/stream`, { headers: bearer(secret) }, (response) => {
        response.on('error', () => undefined);
        response.once('data', (chunk: Buffer) =>
          resolve({ first: chunk.toString(), leave: () => request.destroy() }),
        );
      });
      request.on('error', reject).end();
    });

  it('reaches the client as it is made, and counts as open until it ends', async () => {
    const { first, leave } = await open();
    const line = () => watch.lines().find(({ door }) => door === 'expert');

    expect(first).toBe(': waiting\n\n');
    expect(line()).toMatchObject({ open: 1 });

    stream?.close();
    await expect.poll(() => line()?.open).toBe(0);
    leave();
  });

  it('ends when the client leaves: the door is told, and its place is free', async () => {
    const { leave } = await open();

    leave();

    await expect.poll(() => new Set(gone)).toEqual(new Set(['aborted', 'cancelled']));
    expect(watch.lines().find(({ door }) => door === 'expert')).toMatchObject({ open: 0 });
  });
});

describe('the tap’s path on the main port', () => {
  const openTap = async () => {
    const server = createServer((request, response) => {
      response.setHeader('x-path', request.url ?? '');
      response.setHeader('x-host', request.headers.host ?? '');
      request.pipe(response);
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    tapPort = (server.address() as AddressInfo).port;
    return () => server.close();
  };

  it('leads to the tap’s own port, request and answer as they are', async () => {
    const close = await openTap();

    const response = await post('/t/a-token/mcp/../health?x=1', {}, 'words');

    expect([response.headers.get('x-path'), await response.text()]).toEqual([
      '/t/a-token/health?x=1',
      'words',
    ]);
    close();
  });

  it('is closed to pages of other sites, by request and by socket; the tap hears nothing of them', async () => {
    const close = await openTap();
    const from = (origin: string) => post('/t/a-token/reset', { origin });
    const socketFrom = (origin: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${listening.url.replace('http', 'ws')}/t/a-token/ws`, { origin });
        socket.once('open', () => {
          socket.close();
          resolve('open');
        });
        socket.once('error', ({ message }) => resolve(message));
      });

    const refused = [await from('https://evil.example'), await from('null')];

    expect(refused.map(({ status, headers }) => [status, headers.get('x-path')])).toEqual([
      [403, null],
      [403, null],
    ]);
    expect((await from(listening.url)).status).toBe(200);
    expect(await socketFrom('https://evil.example')).toContain('403');
    expect(await socketFrom(listening.url)).toBe('open');
    close();
  });

  it('passes a socket’s frames both ways', async () => {
    const close = await openTap();
    const socket = new WebSocket(`${listening.url.replace('http', 'ws')}/t/a-token/ws`);
    await new Promise((resolve) => socket.once('open', resolve));
    const reply = new Promise((resolve) =>
      socket.once('message', (data: Buffer) => resolve(data.toString())),
    );

    socket.send('{"type":"reset"}');

    expect(await reply).toBe('{"type":"reset"}');
    socket.close();
    close();
  });

  it('says so when the tap does not answer', async () => {
    tapPort = 1;
    const response = await post('/t/a-token/reset');

    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ message: 'the tap does not answer' });
  });
});

describe('TLS by a certificate of one’s own', () => {
  const door = { handle: async () => new Response('the console'), accept: () => undefined };
  const options = { host: '127.0.0.1', port: 0, maxPayload: 1024, origin: 'same' as const };
  const pem = (name: string): string => readFileSync(join(import.meta.dirname, 'tls', name), 'utf8');
  const get = (url: string, host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      connectTls(
        url,
        { headers: { host }, ca: pem('cert.pem'), checkServerIdentity: () => undefined },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on('error', reject)
        .end();
    });

  it('serves the names the certificate has, and refuses others', async () => {
    const secure = await openListener(door, {
      ...options,
      tls: { cert: pem('cert.pem'), key: pem('key.pem') },
    });

    expect(secure.url).toMatch(/^https:/);
    expect(await get(secure.url, 'gpu-box.example')).toBe(200);
    expect(await get(secure.url, 'evil.example')).toBe(403);
    await secure.close();
  });

  it('says what is wrong with a certificate it cannot use', async () => {
    await expect(openListener(door, { ...options, tls: { cert: 'no', key: 'no' } })).rejects.toMatchObject({
      code: 'bad_input',
      next: /--tls-cert/,
    });
  });
});
