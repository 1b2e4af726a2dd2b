import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { setUpProxies } from '../../src/main/hosts/main.ts';
import { readAddress } from '../../src/main/openenv/address.ts';
import { idleNote } from '../../src/main/openenv/failures.ts';
import { proxyFor } from '../../src/main/openenv/proxy.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { shownAddress } from '../../src/shared/redact/address.ts';

const tls = join(import.meta.dirname, '../gateway/tls');
const closers: (() => unknown)[] = [];
beforeEach(() => {
  vi.stubEnv('https_proxy', undefined);
  vi.stubEnv('no_proxy', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).toReversed()) await close();
});

const portOf = (server: Server): string => String((server.address() as AddressInfo).port);
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return portOf(server);
}

/** Answers resets, where the request has this header. */
function answerResets(server: Server, authorization?: string): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.authorization !== authorization)
      return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (one) => {
      one.on('message', () => {
        const data = { observation: { task: 'Do it.' }, reward: null, done: false };
        one.send(JSON.stringify({ type: 'observation', data }));
      });
    });
  });
  closers.push(() => {
    for (const one of sockets.clients) one.terminate();
  });
}

async function secureServer(): Promise<string> {
  const server = createSecureServer({
    cert: readFileSync(join(tls, 'cert.pem')),
    key: readFileSync(join(tls, 'key.pem')),
  });
  answerResets(server);
  return listen(server);
}

async function taskAt(url: string): Promise<unknown> {
  const session = await openSession(url);
  closers.push(() => session.close());
  return (await session.reset({})).observation.task;
}

describe('a private server', () => {
  it('is sent the token of its address over socket and HTTP, which is nowhere shown', async () => {
    const token = 'hf_abcdefghijklmnopqrstuvwxyz12';
    const asked: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{"name":"private"}');
    });
    answerResets(server, `Bearer ${token}`);
    const port = await listen(server);
    const url = `http://bearer:${token}@127.0.0.1:${port}`;

    expect(await taskAt(url)).toBe('Do it.');
    expect((await describeServer(readAddress(url))).name).toBe('private');
    expect(new Set(asked)).toEqual(new Set([`Bearer ${token}`]));
    expect(shownAddress(url)).not.toContain(token);
    expect(readAddress(url).base).not.toContain(token);
    expect(readAddress(url).secrets).toContain(token);
  });

  it('that refuses the token says so with its status', async () => {
    const server = createHttpServer();
    answerResets(server, 'Bearer right');
    const port = await listen(server);
    await expect(openSession(`http://bearer:wrong@127.0.0.1:${port}`)).rejects.toThrow(/HTTP 401/);
  });
});

it('a server with a certificate of its own is refused with what to do about it, until its authority is named', async () => {
  const port = await secureServer();
  await expect(openSession(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
    code: 'env_unreachable',
    message: expect.stringContaining('its certificate is signed by itself') as string,
    next: expect.stringContaining('NODE_EXTRA_CA_CERTS=FILE') as string,
  });
});

describe('a proxy that HTTPS_PROXY names', () => {
  it('carries the socket as a tunnel to the host, with its user', async () => {
    const port = await secureServer();
    const tunnels: (string | undefined)[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', (request, socket, head) => {
      tunnels.push(request.url, request.headers['proxy-authorization']);
      const [host, to] = (request.url ?? '').split(':');
      const there = connect(Number(to), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        there.write(head);
        there.pipe(socket).pipe(there);
      });
      there.on('error', () => socket.destroy());
      socket.on('error', () => there.destroy());
    });
    vi.stubEnv('HTTPS_PROXY', `http://ada:secret@127.0.0.1:${await listen(proxy)}`);
    // The authority is not known, which is told from inside the tunnel.
    await expect(openSession(`https://127.0.0.1:${port}`)).rejects.toThrow(/signed by itself/);
    const undo = setUpProxies({ https_proxy: process.env['HTTPS_PROXY'] });
    closers.push(undo);
    const request = fetch(`https://127.0.0.1:${port}/schema`);
    await expect(request).rejects.toThrow();
    undo();
    expect(tunnels.slice(2)).toEqual(tunnels.slice(0, 2));
    expect(tunnels.slice(0, 2)).toEqual([
      `127.0.0.1:${port}`,
      `Basic ${Buffer.from('ada:secret').toString('base64')}`,
    ]);
  });

  it('that refuses, or is not there, is named', async () => {
    const proxy = createHttpServer();
    proxy.on(
      'connect',
      (_request, socket) => void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    const port = await listen(proxy);
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`);
    await expect(openSession('https://elsewhere.invalid')).rejects.toThrow(
      new RegExp(`the proxy 127.0.0.1:${port} answered 407`),
    );
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
    await expect(openSession('https://elsewhere.invalid')).rejects.toThrow(
      /the proxy 127.0.0.1:1 cannot be used/,
    );
  });

  it.each([
    ['wss://envs.example/ws', { HTTPS_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
    ['ws://envs.example/ws', { HTTPS_PROXY: 'http://proxy:3128' }, null],
    ['wss://envs.example/ws', { https_proxy: 'http://proxy', NO_PROXY: 'other, .example' }, null],
    ['wss://envs.example:8443/ws', { https_proxy: 'http://proxy', NO_PROXY: 'envs.example:443' }, 'proxy'],
    ['wss://notexample/ws', { https_proxy: 'http://proxy', no_proxy: 'example' }, 'proxy'],
    ['wss://envs.example/ws', { https_proxy: 'http://proxy', no_proxy: '*' }, null],
    ['wss://envs.example/ws', {}, null],
  ])('is asked for %s with %o: %s', (url, variables, host) => {
    expect(proxyFor(new URL(url), variables)?.host ?? null).toBe(host);
  });
});

it('a connection that was not used for long ends with how long that was, and a short one without', () => {
  expect(idleNote(61 * 60_000)).toContain('after 61 minutes without a request');
  expect(idleNote(20_000)).toBe('');
});
