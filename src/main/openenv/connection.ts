// One socket to an OpenEnv server: strictly one request in flight, every waiter settled when it closes. A request
// given up on closes the socket: its late reply would be read as the answer to the next one.
import WebSocket from 'ws';
import { Failure } from '../../shared/failure.ts';
import { CLIENT_FRAME_MAX, type ClientFrame, type ServerFrame } from '../../shared/wire.ts';
import type { Address } from './address.ts';
import { proxyFor, tunnelThrough } from './proxy.ts';
import {
  badFrame,
  heard,
  idleNote,
  CLOSED_NEXT,
  parseFrame,
  socketFailure,
  timedOut,
  unreachable,
  unsolicited,
} from './failures.ts';

export type FrameAnswer = { frame: ServerFrame; raw: string; latency_ms: number };
type RequestOptions = { timeoutMs: number; signal?: AbortSignal };

export type OpenEnvConnection = {
  /** Sends a frame and waits for its reply. Throws `env_*`, `frame_too_large` or `cancelled`. */
  request(frame: ClientFrame, options: RequestOptions): Promise<FrameAnswer>;
  /** Sends `close` and ends the socket; whoever still waits gets `closed`. */
  close(): void;
  /** Why the socket ended, unless `close` ended it; called at most once. */
  onClosed(listener: (failure: Failure) => void): void;
};

const KEEP_ALIVE_MS = 25_000;

type Waiter = { resolve: (raw: string) => void; reject: (failure: Failure) => void };

/** Opens the socket. Throws `env_unreachable`, `env_not_openenv`, `env_timeout` or `cancelled`. */
export async function openConnection(
  address: Address,
  { timeoutMs, signal, maxPayload = CLIENT_FRAME_MAX }: RequestOptions & { maxPayload?: number },
): Promise<OpenEnvConnection> {
  signal?.throwIfAborted();
  const proxy = proxyFor(new URL(address.connect.socket), process.env);
  const socket = new WebSocket(address.connect.socket, {
    maxPayload,
    handshakeTimeout: timeoutMs,
    headers: address.connect.headers,
    ...(proxy === null ? {} : { createConnection: tunnelThrough(proxy) }),
  });
  const connection = wrapSocket(socket, address, maxPayload);
  const abort = (): void => socket.terminate();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await whenOpen(socket, address);
    return connection;
  } catch (thrown) {
    socket.terminate();
    if (signal?.aborted === true)
      throw new Failure('cancelled', 'connecting was cancelled', { cause: thrown });
    throw thrown;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function whenOpen(socket: WebSocket, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      if (response.statusCode === 503 || response.statusCode === 429)
        return reject(busy(address, response.statusCode));
      reject(
        new Failure(
          'env_not_openenv',
          `${address.socket} answered HTTP ${String(response.statusCode)}, not a socket`,
          {
            next: 'Check the path: an OpenEnv server has its socket at <address>/ws.',
          },
        ),
      );
    });
    socket.once('error', (cause) => reject(unreachable(address, cause)));
  });
}

/** A server, or a proxy before it, that has no room now. */
const busy = ({ socket }: Address, status: number): Failure =>
  new Failure('env_capacity', `${socket} has no room now: it answered HTTP ${String(status)}`, {
    next: 'Wait for a session to end or for the server to start, or lower the concurrency.',
  });

/** The socket's one waiter and its end. Whoever waits is settled exactly once. */
type ConnectionState = {
  ended: Failure | null;
  waiting: Waiter | null;
  listeners: ((failure: Failure) => void)[];
};

function endConnection(line: ConnectionState, failure: Failure): void {
  if (line.ended !== null) return;
  line.ended = failure;
  const orphan = line.waiting;
  line.waiting = null;
  orphan?.reject(failure);
  for (const listener of line.listeners) listener(failure);
}

function wrapSocket(socket: WebSocket, address: Address, maxPayload: number): OpenEnvConnection {
  const line: ConnectionState = { ended: null, waiting: null, listeners: [] };
  const abandon = (failure: Failure): void => {
    endConnection(line, failure);
    socket.terminate();
  };
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const waiter = line.waiting;
    if (isBinary) return abandon(badFrame(address, 'a binary frame'));
    const raw = data.toString('utf8');
    if (waiter === null) return abandon(unsolicited(address, raw));
    line.waiting = null;
    waiter.resolve(raw);
  });
  socket.on('error', (cause) => endConnection(line, socketFailure(address, cause, maxPayload)));
  let heardAt = performance.now();
  socket.on('message', () => (heardAt = performance.now()));
  // A person may think for long: what stands between lets a silent connection go, often after a minute.
  const alive = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, KEEP_ALIVE_MS);
  alive.unref();
  socket.on('close', (code, reason) => {
    clearInterval(alive);
    const idle = idleNote(performance.now() - heardAt);
    const why =
      reason.length > 0 ? `${String(code)} ${heard(address, reason.toString('utf8'))}` : String(code);
    endConnection(
      line,
      new Failure('env_closed', `${address.base} closed the connection (${why})${idle}`, {
        next: CLOSED_NEXT,
      }),
    );
  });
  let tail: Promise<unknown> = Promise.resolve();
  return {
    request: (frame, options) => {
      const answer = tail.then(() => exchangeFrames({ socket, line, address, abandon }, frame, options));
      tail = answer.catch(() => undefined);
      return answer;
    },
    close: () => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'close' }));
      // Whoever closes it knows; only an end that comes from outside is news.
      line.listeners.length = 0;
      endConnection(line, new Failure('closed', 'the connection was closed'));
      socket.close();
    },
    onClosed: (listener) => (line.ended === null ? line.listeners.push(listener) : listener(line.ended)),
  };
}

type Exchange = {
  socket: WebSocket;
  line: ConnectionState;
  address: Address;
  abandon: (failure: Failure) => void;
};

async function exchangeFrames(
  { socket, line, address, abandon }: Exchange,
  frame: ClientFrame,
  { timeoutMs, signal }: RequestOptions,
): Promise<FrameAnswer> {
  if (line.ended !== null) throw line.ended;
  if (signal?.aborted === true)
    throw new Failure('cancelled', 'the request was cancelled before it was sent');
  const startedAt = performance.now();
  const raw = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => abandon(timedOut(address, frame, timeoutMs)), timeoutMs);
    const abort = (): void => abandon(new Failure('cancelled', 'the request was cancelled'));
    const settling = <T>(settle: (value: T) => void) => {
      return (value: T): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        settle(value);
      };
    };
    line.waiting = { resolve: settling(resolve), reject: settling(reject) };
    signal?.addEventListener('abort', abort, { once: true });
    socket.send(JSON.stringify(frame));
  });
  return { frame: parseFrame(raw, address), raw, latency_ms: performance.now() - startedAt };
}
