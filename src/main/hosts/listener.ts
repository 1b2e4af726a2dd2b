// Every port this product opens, and every socket of this machine. Turns Node's HTTP into `handle(Request)` and `accept(socket, path)`. Must not know:
// what a door says; only who may knock.
import { X509Certificate } from 'node:crypto';
import { chmodSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  request as connectHttp,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIP, type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { Failure } from '../../shared/failure.ts';
import { hostNameIn, isLoopbackName, isOurOrigin, SLOW_CLIENTS, targetIn } from '../gateway/origin.ts';
import { once } from 'node:events';

export type ListenerDoor = {
  handle(request: Request): Promise<Response>;
  accept(socket: WebSocket, path: string, request: IncomingMessage): void;
  /** Says no to a socket before it is opened: an HTTP status, or null to let it in. */
  refuse?(request: IncomingMessage): number | null;
  /** How clients of a path read that they came under a foreign name; null where plain words do. */
  refusal?(path: string, message: string): Response | null;
  /** Headers of the answer that opens a socket, as lines. */
  greeting?(request: IncomingMessage): string[];
  /** The subprotocol to answer with, when the client offered some. */
  subprotocol?(offered: ReadonlySet<string>): string | false;
  /** A port of this machine that serves this path in the door's place, request and upgrade alike; null for the door. */
  pipe?(path: string): number | null;
};

type ListenOptions = {
  host: string;
  port: number;
  /** Largest inbound frame in bytes; a larger one closes the socket with 1009. */
  maxPayload: number;
  /** Whether a page of this same origin may connect; clients that are no browsers send no Origin. */
  origin: 'same' | 'none';
  /** A certificate of one's own and its key, as PEM: the port speaks TLS. */
  tls?: { cert: string; key: string } | null;
  /** How long a client may take over its request; the usual times where it is left out. */
  slow?: typeof SLOW_CLIENTS;
};

export type Listening = { url: string; port: number; close(): Promise<void> };

const schemeOf = ({ tls }: ListenOptions): 'http' | 'https' =>
  tls === undefined || tls === null ? 'http' : 'https';

/** Opens a port for one door. Throws `port_taken`, or `bad_input` for an address that is not this machine's. */
export async function openListener(door: ListenerDoor, options: ListenOptions): Promise<Listening> {
  const { server, close } = serverFor(door, options);
  await whenListening(server, options);
  const { port } = server.address() as AddressInfo;
  const shown = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  return {
    url: `${schemeOf(options)}://${shown.includes(':') ? `[${shown}]` : shown}:${String(port)}`,
    port,
    close,
  };
}

/**
 * Opens a socket of this machine for one door: a file that only its owner may connect to, or a pipe of Windows. Throws what
 * the system says where that cannot be.
 */
export async function openLocalSocket(
  door: ListenerDoor,
  path: string,
  maxPayload: number,
): Promise<{ close(): Promise<void> }> {
  const { server, close } = serverFor(door, { host: 'localhost', port: 0, maxPayload, origin: 'none' });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return { close };
}

function serverFor(door: ListenerDoor, options: ListenOptions) {
  const server = createServerOf(options, (incoming, outgoing) => {
    void answerHttpRequest(door, options, incoming, outgoing);
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxPayload,
    handleProtocols: (offered) => door.subprotocol?.(offered) ?? false,
  });
  sockets.on('headers', (headers, request) => headers.push(...(door.greeting?.(request) ?? [])));
  const piped = new Set<Duplex>();
  server.on('upgrade', (request, stream: Duplex, head) => {
    const status = refusedStatus(door, options, request);
    if (status !== null) return refuseSocket(stream, status);
    const port = pipePort(door, request);
    if (port !== null) {
      piped.add(stream);
      stream.on('close', () => piped.delete(stream));
      return pipeUpgrade(request, stream, head, port);
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // Without a listener an oversized or broken frame would end the process.
      socket.on('error', () => undefined);
      door.accept(socket, request.url ?? '/', request);
    });
  });
  return {
    server,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        for (const stream of piped) stream.destroy();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Throws `bad_input` for a certificate and key that do not go together. */
function createServerOf({ tls, slow = SLOW_CLIENTS }: ListenOptions, listener: RequestListener) {
  if (tls === undefined || tls === null) return createServer(slow, listener);
  try {
    return createTlsServer({ ...tls, ...slow, handshakeTimeout: slow.headersTimeout }, listener);
  } catch (cause) {
    throw new Failure('bad_input', `the certificate cannot be used: ${(cause as Error).message}`, {
      cause,
      next: 'Give a PEM certificate with --tls-cert and its own key with --tls-key.',
    });
  }
}

function whenListening(
  server: ReturnType<typeof createServerOf>,
  { host, port }: ListenOptions,
): Promise<void> {
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
function refusedStatus(door: ListenerDoor, options: ListenOptions, request: IncomingMessage): number | null {
  if (targetIn(request.url) === null) return 400;
  if (!isOurHost(request.headers.host, options)) return 403;
  const { origin } = request.headers;
  if (origin !== undefined && (options.origin === 'none' || !isSameOrigin(origin, request.headers.host)))
    return 403;
  return door.refuse?.(request) ?? null;
}

function isOurHost(header: string | undefined, { host: bound, tls }: ListenOptions): boolean {
  const name = hostNameIn(header);
  if (name === null) return false;
  // Bound to every address, a name cannot be told from a rebound one; addresses can, and names of our certificate.
  const isAnyAddress = (bound === '0.0.0.0' || bound === '::') && isIP(name) !== 0;
  return isLoopbackName(name) || name === bound || isAnyAddress || isCertified(tls, name);
}

/** A browser lets no page of another name in over TLS: a name that the certificate has is ours. */
const isCertified = (tls: ListenOptions['tls'], name: string): boolean =>
  tls !== undefined && tls !== null && new X509Certificate(tls.cert).checkHost(name) !== undefined;

function isSameOrigin(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

const STATUS_REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

function refuseSocket(stream: Duplex, status: number): void {
  // A client that never closes its own end would keep the connection.
  stream.once('finish', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${String(status)} ${STATUS_REASONS[status] ?? 'Refused'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

const FOREIGN_NAME =
  'This name is not served here: use 127.0.0.1 or localhost, or the address given with --host';

const requestPath = (incoming: IncomingMessage): string => targetIn(incoming.url)?.pathname ?? '';

/** The port of this machine that serves a path in the door's place; null when the door serves it. */
const pipePort = (door: ListenerDoor, incoming: IncomingMessage): number | null =>
  door.pipe?.(requestPath(incoming)) ?? null;

/** True if the page that asks is ours. Piped requests are checked here: they lose their Origin. */
const isOurPage = ({ headers }: IncomingMessage, options: ListenOptions): boolean =>
  isOurOrigin(headers.origin ?? null, new URL(`${schemeOf(options)}://${headers.host ?? 'localhost'}`));

async function answerHttpRequest(
  door: ListenerDoor,
  options: ListenOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const signal = signalOf(outgoing);
  try {
    if (targetIn(incoming.url) === null) {
      outgoing.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
      outgoing.end('A request names a path of this address.');
      return;
    }
    if (!isOurHost(incoming.headers.host, options)) {
      const said = door.refusal?.(requestPath(incoming), FOREIGN_NAME) ?? null;
      if (said !== null) return await writeResponse(said, outgoing, signal);
      outgoing.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
      outgoing.end(`${FOREIGN_NAME}.`);
      return;
    }
    const port = pipePort(door, incoming);
    if (port !== null && !isOurPage(incoming, options)) {
      outgoing.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
      outgoing.end('Pages of other sites are not served here.');
      return;
    }
    if (port !== null) return pipeRequest(incoming, outgoing, port);
    const response = await door.handle(requestOf(incoming, schemeOf(options), signal));
    await writeResponse(response, outgoing, signal);
  } catch (thrown) {
    const status = thrown instanceof Failure && thrown.code === 'limit_exceeded' ? 413 : 500;
    if (!outgoing.headersSent) outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
    outgoing.end(thrown instanceof Failure ? thrown.message : 'internal error');
  }
}

const HTTP_BODY_MAX = 32 * 1024 * 1024;

/** The request of a client. Reading its body throws `limit_exceeded` beyond 32 MiB. */
function requestOf(incoming: IncomingMessage, protocol: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = incoming.method ?? 'GET';
  const url = new URL(`${protocol}://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  // `duplex` is Node's own: without it a body that comes as a stream is refused.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal,
    body: requestBody(incoming),
    duplex: 'half',
  };
  return new Request(url, init);
}

const tooLarge = (): Failure =>
  new Failure('limit_exceeded', `the request is over ${String(HTTP_BODY_MAX / 1024 / 1024)} MiB`);

function requestBody(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  // What is announced as too large is not read at all.
  const announced = Number(incoming.headers['content-length'] ?? 0);
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let size = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        if (announced > HTTP_BODY_MAX) return controller.error(tooLarge());
        const { done, value } = await chunks.next();
        if (done === true) return controller.close();
        size += value.length;
        if (size > HTTP_BODY_MAX) controller.error(tooLarge());
        else controller.enqueue(new Uint8Array(value));
      },
    },
    { highWaterMark: 0 },
  );
}

/** Aborts when the client is gone before its answer was complete. */
function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort(new Failure('cancelled', 'the client is gone'));
  });
  return controller.signal;
}

/** Writes an answer as it is made; a slow reader slows it down, a client that left ends it. */
async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const isUnread = !outgoing.req.complete;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    // Whatever of the request was not read is not read any more.
    ...(isUnread ? { connection: 'close' } : {}),
  });
  if (response.body === null || outgoing.req.method === 'HEAD') {
    await response.body?.cancel();
    outgoing.end();
  } else {
    outgoing.flushHeaders();
    await copy(response.body, outgoing, signal);
  }
}

async function copy(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) break;
      if (!outgoing.write(value)) await once(outgoing, 'drain', { signal });
    }
    outgoing.end();
  } catch (thrown) {
    // Half an answer must not look like a whole one.
    outgoing.destroy();
    if (!signal.aborted) throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const LOOPBACK_HOST = '127.0.0.1';

/** Sends the request there and its answer back. A port that does not answer is a 502 that says so. */
function pipeRequest(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const onward = connectHttp({
    host: LOOPBACK_HOST,
    port,
    method: incoming.method,
    path: incoming.url,
    headers: headersFrom(inwardPairs(incoming, port)),
    agent: false,
  });
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, headersFrom(headerPairs(answer)));
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', () => {
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(502, { 'content-type': 'application/json', connection: 'close' });
    outgoing.end(JSON.stringify({ code: 'closed', message: 'the tap does not answer', next: null }));
  });
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Connects the client's socket with the port and writes its request there once more; from then on bytes only. */
function pipeUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer, port: number): void {
  const onward = connect({ host: LOOPBACK_HOST, port, noDelay: true });
  const end = (): void => {
    stream.destroy();
    onward.destroy();
  };
  onward.on('connect', () => {
    const lines = inwardPairs(request, port).map(([name, value]) => `${name}: ${value}`);
    const line = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`;
    onward.write(`${[line, ...lines].join('\r\n')}\r\n\r\n`);
    if (head.length > 0) onward.write(head);
    stream.pipe(onward).pipe(stream);
  });
  for (const one of [stream, onward]) {
    one.on('error', end);
    one.on('close', end);
  }
}

/** Names and values as they came, in order: a client sees what the tap wrote, and the tap what the client wrote. */
function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return pairs;
}

/**
 * The tap answers to this machine's own names and pages only. Under which name and from which page a client knocked was
 * checked by the port it came in at, which knows its own address: neither goes on.
 */
const inwardPairs = (message: IncomingMessage, port: number): [string, string][] =>
  headerPairs(message)
    .filter(([name]) => name.toLowerCase() !== 'origin')
    .map(([name, value]) => [
      name,
      name.toLowerCase() === 'host' ? `${LOOPBACK_HOST}:${String(port)}` : value,
    ]);

function headersFrom(pairs: readonly [string, string][]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
