import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SLOW_CLIENTS } from '../../src/main/gateway/origin.ts';
import { openListener, type Listening, type ListenerDoor } from '../../src/main/hosts/listener.ts';
import { openTap, type OpenTap } from '../support/tap.ts';

const door: ListenerDoor = {
  handle: async (request) => {
    await request.arrayBuffer();
    return new Response('read');
  },
  refuse: () => 401,
  accept: () => undefined,
};

let listening: Listening;
beforeEach(async () => {
  listening = await openListener(door, {
    host: '0.0.0.0',
    port: 0,
    maxPayload: 1024,
    origin: 'same',
    slow: { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 },
  });
});
afterEach(() => listening.close());

/** Writes this to a port, and nothing more; what came back once the other side has closed. */
const sayAndWait = (port: number, text: string, dripMs = 0): Promise<string> =>
  new Promise((resolve) => {
    // Its own end stays open, as one does that means harm.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket.on('error', () => undefined);
    socket.on('data', (part) => (answer += part.toString()));
    socket.write(text);
    const drip = dripMs === 0 ? undefined : setInterval(() => socket.write('x'), dripMs);
    const end = (): void => {
      clearInterval(drip);
      socket.destroy();
      resolve(answer.split('\r\n')[0] ?? '');
    };
    socket.on('end', end);
    socket.on('close', end);
  });

const HOST = 'Host: 127.0.0.1\r\n';

describe('a request that is never finished', () => {
  it.each([
    ['nothing at all', '', 0],
    ['half of its headers', 'GET / HTTP/1.1\r\nHost: 127.', 0],
    ['headers a byte at a time', 'GET / HTTP/1.1\r\nx-long: ', 40],
    ['a part of its body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 9000\r\n\r\nab`, 0],
    ['its body a byte at a time', `POST / HTTP/1.1\r\n${HOST}Content-Length: 9000\r\n\r\nab`, 40],
  ])('is closed by the port, having sent %s', async (_what, text, dripMs) => {
    expect(await sayAndWait(listening.port, text, dripMs)).toMatch(/^(HTTP\/1\.1 408 .*)?$/);
  });

  it('has some seconds at a port of the product, never a minute more', () => {
    expect(SLOW_CLIENTS.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(SLOW_CLIENTS.requestTimeout + SLOW_CLIENTS.connectionsCheckingInterval).toBeLessThan(70_000);
  });

  it('is closed by the tap’s own port too', { timeout: 40_000 }, async () => {
    const tapped = await openTap(listening.url);
    try {
      expect(await sayAndWait(Number(new URL(tapped.url).port), 'GET / HTTP/1.1\r\nHost: 127.')).toMatch(
        /^(HTTP\/1\.1 408 .*)?$/,
      );
    } finally {
      await tapped.close();
    }
  });
});

const HOSTILE_HOSTS = [
  'x:y',
  'a:b:c',
  '::1',
  '[::1',
  '127.0.0.1:99999',
  '127.999.0.1',
  '',
  'u@127.0.0.1',
  '1.2.3',
];
const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

describe('a request that names no host or no path', () => {
  it.each(HOSTILE_HOSTS)('is refused by a port that is bound to every address: Host %j', async (host) => {
    const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;

    expect(await sayAndWait(listening.port, `${request}\r\n`)).toMatch(/ 40[03] /);
    expect(await sayAndWait(listening.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n`)).toMatch(
      / 40[03] /,
    );
  });

  it.each(['//', 'http://evil.example/', 'http://[/', '*'])(
    'is refused, and ends nothing: %j',
    async (target) => {
      const request = `GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n`;

      expect(await sayAndWait(listening.port, `GET ${target} HTTP/1.1\r\n${HOST}${upgrade}\r\n`)).toMatch(
        / 40[01] /,
      );
      expect(await sayAndWait(listening.port, `${request}\r\n`)).toMatch(/ (400|200) /);
      expect((await fetch(listening.url)).status).toBe(200);
    },
  );

  it('is refused by the tap’s own port too, which goes on', async () => {
    const tapped: OpenTap = await openTap(listening.url);
    try {
      const port = Number(new URL(tapped.url).port);
      for (const host of HOSTILE_HOSTS)
        expect(
          await sayAndWait(port, `GET /t/a/b HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        ).toMatch(/ 40[03] /);
      expect((await fetch(`http://127.0.0.1:${String(port)}/`)).status).toBe(404);
    } finally {
      await tapped.close();
    }
  });
});
