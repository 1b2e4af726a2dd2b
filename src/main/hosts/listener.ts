// Owns: every port this product opens. Turns Node's HTTP into `handle(Request)` and `accept(socket, path)`.
// Must not know: what a door says; only who may knock.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { Failure } from '../../shared/failure.ts';

export type Door = {
  handle(request: Request): Promise<Response>;
  accept(socket: WebSocket, path: string): void;
  /** Says no to a socket before it is opened: an HTTP status, or null to let it in. */
  refuse?(request: IncomingMessage): number | null;
  /** The subprotocol to answer with, when the client offered some. */
  subprotocol?(offered: ReadonlySet<string>): string | false;
};

export type ListenOptions = {
  host: string;
  port: number;
  /** Largest inbound frame in bytes; a larger one closes the socket with 1009. */
  maxPayload: number;
  /** Whether a page of this same origin may connect; clients that are no browsers send no Origin. */
  origin: 'same' | 'none';
};

export type Listening = { url: string; port: number; close(): Promise<void> };

const BODY_MAX = 32 * 1024 * 1024;

/** Opens a port for one door. Throws `port_taken`, or `bad_input` for an address that is not this machine's. */
export async function listen(door: Door, options: ListenOptions): Promise<Listening> {
  const server = createServer((incoming, outgoing) => void answer(door, options, incoming, outgoing));
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxPayload,
    handleProtocols: (offered) => door.subprotocol?.(offered) ?? false,
  });
  server.on('upgrade', (request, stream: Duplex, head) => {
    const status = refusal(door, options, request);
    if (status !== null) return refuse(stream, status);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // Without a listener an oversized or broken frame would end the process.
      socket.on('error', () => undefined);
      door.accept(socket, request.url ?? '/');
    });
  });
  await opened(server, options);
  const { port } = server.address() as AddressInfo;
  const shown = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  return {
    url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${String(port)}`,
    port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function opened(server: ReturnType<typeof createServer>, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        reject(
          new Failure('port_taken', `port ${String(port)} on ${host} is already in use`, {
            cause,
            next: 'Close what uses it, or choose another with --port (0 picks a free one).',
          }),
        );
      } else {
        reject(
          new Failure('bad_input', `cannot listen on ${host}:${String(port)}: ${cause.message}`, {
            cause,
            next: 'Choose an address of this machine with --host.',
          }),
        );
      }
    });
    server.listen(port, host, resolve);
  });
}

/** Another site's page may reach a loopback port: names that are not ours, and origins that are not ours, are refused. */
function refusal(door: Door, options: ListenOptions, request: IncomingMessage): number | null {
  if (!isOurHost(request.headers.host, options.host)) return 403;
  const { origin } = request.headers;
  if (origin !== undefined && (options.origin === 'none' || !isSameOrigin(origin, request.headers.host)))
    return 403;
  return door.refuse?.(request) ?? null;
}

function isOurHost(header: string | undefined, bound: string): boolean {
  if (header === undefined) return false;
  const name = header.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const isLoopbackName = name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
  // Bound to every address, a name cannot be told from a rebound one; addresses can.
  const isAnyAddress = (bound === '0.0.0.0' || bound === '::') && /^[\d.]+$|:/.test(name);
  return isLoopbackName || name === bound || isAnyAddress;
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

const REASONS: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };

function refuse(stream: Duplex, status: number): void {
  stream.end(
    `HTTP/1.1 ${String(status)} ${REASONS[status] ?? 'Refused'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

async function answer(
  door: Door,
  options: ListenOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    if (!isOurHost(incoming.headers.host, options.host)) {
      outgoing.writeHead(403).end();
      return;
    }
    const response = await door.handle(await requestOf(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch (thrown) {
    const status = thrown instanceof Failure && thrown.code === 'limit_exceeded' ? 413 : 500;
    if (!outgoing.headersSent) outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
    outgoing.end(thrown instanceof Failure ? thrown.message : 'internal error');
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: await bodyOf(incoming) });
}

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const part = chunk as Buffer;
    size += part.length;
    if (size > BODY_MAX) {
      throw new Failure('limit_exceeded', `the request is over ${String(BODY_MAX / 1024 / 1024)} MiB`);
    }
    chunks.push(part);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
