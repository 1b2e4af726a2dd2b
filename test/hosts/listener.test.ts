import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { App } from '../../src/main/app/types.ts';
import { SOCKET_VERSION } from '../../src/shared/contract/greeting.ts';
import { createConsoleDoor } from '../../src/main/hosts/consoleDoor.ts';
import { openListener, type Listening } from '../../src/main/hosts/listener.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const LONG_SCRIPT = 'console.log(1);'.repeat(200);
const TOKEN = 'a-token-of-some-length';
let listening: Listening;
const folder = folderPerTest();

const app = {
  route: (method: string, input: unknown, { seat }: { seat: string }) =>
    Promise.resolve({ method, input, seat }),
  subscribe: () => () => undefined,
  folder: '/data',
  seats: { connect: () => () => undefined },
  keys: { find: () => null, onChanged: () => () => undefined },
  settings: {
    ownerToken: () => TOKEN,
    onOwnerTokenRenewed: () => () => undefined,
    inviteOf: () => null,
    onInviteRevoked: () => () => undefined,
  },
} as unknown as App;

beforeEach(async () => {
  mkdirSync(join(folder(), 'assets'));
  writeFileSync(join(folder(), 'index.html'), '<!doctype html>');
  writeFileSync(join(folder(), 'assets', 'a.js'), '1');
  writeFileSync(join(folder(), 'assets', 'b.js'), LONG_SCRIPT);
  writeFileSync(join(folder(), 'assets', 'b.js.br'), brotliCompressSync(LONG_SCRIPT));
  writeFileSync(join(folder(), 'assets', 'b.js.gz'), gzipSync(LONG_SCRIPT));
  const door = createConsoleDoor({ app, files: folder() });
  listening = await openListener(door, {
    host: '127.0.0.1',
    port: 0,
    maxPayload: 1024 * 1024,
    origin: 'same',
  });
});
afterEach(async () => {
  await listening.close();
});

type Served = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

/** A file as it came over the line: nothing is decoded. */
const served = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Served> =>
  new Promise((resolve, reject) => {
    request(`${listening.url}${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

const status = (path: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${listening.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

const socketStatus = (protocol: string | undefined, headers: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve) => {
    const url = `${listening.url.replace('http', 'ws')}/console?seat=seat-one`;
    const socket = new WebSocket(url, protocol === undefined ? [] : [protocol], { headers });
    socket.on('open', () => (socket.close(), resolve('open')));
    socket.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)));
    socket.on('error', () => undefined);
  });

describe('the static files', () => {
  it('are served with a policy that allows no inline script and no other site', async () => {
    const response = await fetch(listening.url);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self';/);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0.5', 'br'],
    ['GZIP', 'gzip'],
    ['identity, br;q=0.5', undefined],
    ['br;q=nonsense', undefined],
    ['deflate', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('come to a client that accepts %j as %j, the same once decoded', async (accepted, encoding) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const file = await served('/assets/b.js', headers);

    expect(file.headers['content-encoding']).toBe(encoding);
    expect(file.headers['content-length']).toBe(String(file.bytes.length));
    expect(file.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(file.headers.vary).toBe('Accept-Encoding');
    const decode =
      { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect(decode(file.bytes).toString()).toBe(LONG_SCRIPT);
  });

  it('are kept by a browser for good where their name holds a hash, and asked for again by their tag elsewhere', async () => {
    const page = await served('/');
    const again = await served('/', { 'if-none-match': page.headers.etag ?? '' });

    expect(page.headers['cache-control']).toBe('no-cache');
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, page.headers.etag]);
    expect((await served('/', { 'if-none-match': '"another"' })).status).toBe(200);
    const [plain, brotli] = [
      await served('/assets/b.js'),
      await served('/assets/b.js', { 'accept-encoding': 'br' }),
    ];
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.etag).not.toBe(brotli.headers.etag);
  });

  it('say how long they are to who asks only for that', async () => {
    const head = await served('/assets/b.js', { 'accept-encoding': 'br' }, 'HEAD');
    const whole = await served('/assets/b.js', { 'accept-encoding': 'br' });

    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(whole.bytes.length));
    expect(head.headers['content-encoding']).toBe('br');
  });

  it('are the only ones that can be read', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/nope', '/assets/', '/assets/b.js.br']) {
      expect(await status(path, {})).toBe(404);
    }
  });
});

describe('the console socket', () => {
  it('opens with the right token and answers commands for its seat', async () => {
    const socket = new WebSocket(
      `${listening.url.replace('http', 'ws')}/console?seat=seat-one`,
      `interject.${TOKEN}`,
    );
    await new Promise((resolve) => socket.once('open', resolve));
    const reply = new Promise((resolve) =>
      socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))),
    );

    socket.send(JSON.stringify({ type: 'hello', id: 1, version: SOCKET_VERSION }));
    socket.send(JSON.stringify({ type: 'request', id: 7, method: 'app.describe', input: {} }));

    expect(await reply).toEqual({
      type: 'value',
      id: 7,
      value: { method: 'app.describe', input: {}, seat: 'seat-one' },
    });
    socket.close();
  });

  it('refuses a missing or wrong token with 401, and another site’s page with 403', async () => {
    expect(await socketStatus(undefined)).toBe('401');
    expect(await socketStatus('interject.wrong')).toBe('401');
    expect(await socketStatus(`interject.${TOKEN}`, { origin: 'https://evil.example' })).toBe('403');
    expect(await socketStatus(`interject.${TOKEN}`, { origin: listening.url })).toBe('open');
  });

  it('refuses a host name that is not this machine’s, as a rebound name would be', async () => {
    expect(await status('/', { host: 'evil.example' })).toBe(403);
    expect(await socketStatus(`interject.${TOKEN}`, { host: 'evil.example' })).toBe('403');
  });

  it('closes on what is no message, and survives a frame over its limit', async () => {
    for (const frame of ['{"type":"nope"}', 'not json', 'x'.repeat(2 * 1024 * 1024)]) {
      const socket = new WebSocket(`${listening.url.replace('http', 'ws')}/console`, `interject.${TOKEN}`);
      await new Promise((resolve) => socket.once('open', resolve));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.send(JSON.stringify({ type: 'hello', id: 1, version: SOCKET_VERSION }));
      socket.send(frame);
      expect([1008, 1009]).toContain(await closed);
    }
    expect(await status('/', {})).toBe(200);
  });

  it('lets a page ask whether its token is right before it opens a socket', async () => {
    expect(await status('/console', { authorization: `Bearer ${TOKEN}` })).toBe(204);
    expect(await status('/console', { authorization: 'Bearer no' })).toBe(401);
  });
});

describe('opening a port', () => {
  it('names a port that is taken and how to choose another', async () => {
    const door = createConsoleDoor({ app, files: folder() });

    await expect(
      openListener(door, { host: '127.0.0.1', port: listening.port, maxPayload: 1, origin: 'same' }),
    ).rejects.toMatchObject({ code: 'port_taken', next: expect.stringContaining('--port') as string });
  });

  it('says that the console is not built instead of serving nothing', () => {
    expect(() => createConsoleDoor({ app, files: join(folder(), 'none') })).toThrow(/not built/);
  });
});
