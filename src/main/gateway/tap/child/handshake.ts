// How a WebSocket begins, on either end. No extension is offered or taken: frames pass as they are.
import { createHash, randomBytes } from 'node:crypto';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { createWire, type Wire } from './wire.ts';

const acceptOf = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** With which status a request is no WebSocket's; null when it is one. */
export function handshakeProblem({ method, headers }: IncomingMessage): number | null {
  if (method !== 'GET') return 405;
  if (headers.upgrade?.toLowerCase() !== 'websocket') return 400;
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) return 400;
  return headers['sec-websocket-version'] === '13' ? null : 426;
}

/** Accepts a client whose request has no problem. Of the protocols it names it gets the first. */
export function acceptClient({ headers }: IncomingMessage, stream: Duplex, head: Buffer, max: number): Wire {
  const protocol = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/.exec(headers['sec-websocket-protocol'] ?? '')?.[0];
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${acceptOf(headers['sec-websocket-key'] ?? '')}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  stream.write(`${lines.join('\r\n')}\r\n\r\n`);
  return createWire(stream, head, { isClient: false, max });
}

/** Why there is no socket, as what is said of the server: `cannot be reached: …`. */
type NoWire = { status: number; why: string };

type WireOptions = {
  timeoutMs: number;
  max: number;
  headers?: Record<string, string>;
  /** The authorities that are trusted; the usual ones where they are left out. */
  ca?: readonly string[];
};

/** Opens a socket at an `http:` or `https:` address, or says why there is none. Nothing of it is read yet. */
export function openWire(
  address: string,
  { timeoutMs, max, headers: own = {}, ca }: WireOptions,
): Promise<{ wire: Wire } | NoWire> {
  const key = randomBytes(16).toString('base64');
  const headers = {
    ...own,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
  };
  return new Promise((resolve) => {
    const send = address.startsWith('https:') ? secureRequest : plainRequest;
    const refused = (status: number, why: string): void => {
      outgoing.destroy();
      resolve({ status, why });
    };
    // A pool of connections is for requests; this one is kept.
    const trusted = ca === undefined ? {} : { ca: [...ca] };
    const outgoing = send(address, { headers, agent: false, timeout: timeoutMs, ...trusted });
    outgoing.once('timeout', () =>
      refused(502, `cannot be reached: no answer within ${String(timeoutMs / 1000)} s`),
    );
    outgoing.on('error', (cause: NodeJS.ErrnoException) =>
      refused(
        502,
        `cannot be reached: ${cause.message === '' ? (cause.code ?? 'no connection') : cause.message}`,
      ),
    );
    outgoing.once('response', ({ statusCode = 502 }) =>
      refused(statusCode, `does not let the tap in: it answers ${String(statusCode)}`),
    );
    outgoing.once('upgrade', ({ headers: said }: IncomingMessage, socket, head) => {
      if (said['sec-websocket-accept'] !== acceptOf(key) || said['sec-websocket-extensions'] !== undefined) {
        return refused(502, 'does not open a WebSocket as the protocol says');
      }
      socket.setTimeout(0);
      socket.setNoDelay(true);
      resolve({ wire: createWire(socket, head, { isClient: true, max }) });
    });
    outgoing.end();
  });
}
