// One socket to an OpenEnv server: strictly one request in flight, every waiter settled when it closes. A request
// given up on closes the socket: its late reply would be read as the answer to the next one.
import WebSocket from 'ws';
import { Failure } from '../../shared/failure.ts';
import type { ClientFrame, ServerFrame } from '../../shared/wireFrames.ts';
import { ANSWER_MAX, FRAME_MAX } from '../../shared/wire.ts';
import type { Address } from './address.ts';
import { proxyFor, tunnelThrough } from './proxy.ts';
import {
  badFrame,
  closedFailure,
  heard,
  parseFrame,
  socketFailure,
  timedOut,
  unreachable,
  unsolicited,
} from './failures.ts';
import { oversizedFrame } from './oversized.ts';

/** `idle_ms`: how long nothing had been asked before this. */
export type FrameAnswer = { frame: ServerFrame; raw: string; latency_ms: number; idle_ms: number };
type RequestOptions = { timeoutMs: number; signal?: AbortSignal };
/** `answerMax`: a larger answer is read and not taken in; the connection goes on. */
type ConnectionOptions = RequestOptions & { answerMax?: number; keepMs?: number };

export type OpenEnvConnection = {
  /** Sends a frame and waits for its reply. Throws `env_*`, `frame_too_large` or `cancelled`. */
  request(frame: ClientFrame, options: RequestOptions): Promise<FrameAnswer>;
  /** Sends `close` and ends the socket; whoever still waits gets `closed`. */
  close(): void;
  /** Why the socket ended, unless `close` ended it; called at most once. */
  onClosed(listener: (failure: Failure) => void): void;
};

const PING_MS = 25_000;
/** Servers end sessions in which nothing is asked for long; a ping of the WebSocket is no request to them. */
export const KEEP_SESSION_MS = 4 * 60_000;
const KEEP_ANSWER_MS = 30_000;
/** A server's time to close a session that was cancelled. */
const LEAVE_MS = 2_000;
/** Asks for nothing and changes nothing, and counts as use. A server that does not know it answers with an error. */
export const KEEP_REQUEST = { jsonrpc: '2.0', id: 'keep-alive', method: 'ping', params: {} } as const;

type Waiter = { resolve: (data: Buffer) => void; reject: (failure: Failure) => void };

/** Opens the socket. Throws `env_unreachable`, `env_not_openenv`, `env_timeout` or `cancelled`. */
export async function openConnection(
  address: Address,
  { timeoutMs, signal, answerMax = ANSWER_MAX, keepMs = KEEP_SESSION_MS }: ConnectionOptions,
): Promise<OpenEnvConnection> {
  signal?.throwIfAborted();
  const { ca, headers } = address.connect;
  const proxy = proxyFor(new URL(address.connect.socket), process.env);
  const socket = new WebSocket(address.connect.socket, {
    maxPayload: FRAME_MAX,
    handshakeTimeout: timeoutMs,
    headers: { ...headers },
    ...(ca === null ? {} : { ca: [...ca] }),
    ...(proxy === null ? {} : { createConnection: tunnelThrough(proxy, ca) }),
  });
  const connection = wrapSocket(socket, address, { answerMax, keepMs });
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
      reject(noSocket(address, response.statusCode ?? 0));
    });
    socket.once('error', (cause) => reject(unreachable(address, cause)));
  });
}

const noSocket = ({ socket }: Address, status: number): Failure =>
  new Failure('env_not_openenv', `${socket} answered HTTP ${String(status)}, not a socket`, {
    cause: status,
    next:
      status === 401 || status === 403
        ? 'It lets nobody in without credentials: give its token in the address, or its header under Setup → Environments or with --env-header.'
        : 'Check the path: an OpenEnv server has its socket at <address>/ws.',
  });

/** A server, or a proxy before it, that has no room now. */
const busy = ({ socket }: Address, status: number): Failure =>
  new Failure('env_capacity', `${socket} has no room now: it answered HTTP ${String(status)}`, {
    next: 'Wait for a session to end or for the server to start, or lower the concurrency.',
  });

/** The socket's one waiter and its end. Whoever waits is settled exactly once. */
type ConnectionState = {
  ended: Failure | null;
  /** When an episode's own request was last answered. */
  usedAt: number;
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

function wrapSocket(
  socket: WebSocket,
  address: Address,
  { answerMax, keepMs }: { answerMax: number; keepMs: number },
): OpenEnvConnection {
  const line: ConnectionState = { ended: null, usedAt: performance.now(), waiting: null, listeners: [] };
  const abandon = (failure: Failure): void => {
    endConnection(line, failure);
    socket.terminate();
  };
  const leave = (failure: Failure): void => {
    endConnection(line, failure);
    sayGoodbye(socket);
    // A server that is busy with what was cancelled may answer late, or never.
    setTimeout(() => socket.terminate(), LEAVE_MS).unref();
  };
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (line.ended !== null) return;
    const waiter = line.waiting;
    if (isBinary) return abandon(badFrame(address, 'a binary frame'));
    if (waiter === null) return abandon(unsolicited(address, data.toString('utf8', 0, answerMax)));
    line.waiting = null;
    waiter.resolve(data);
  });
  socket.on('error', (cause) => endConnection(line, socketFailure(address, cause)));
  let tail: Promise<unknown> = Promise.resolve();
  const request: OpenEnvConnection['request'] = (frame, options) => {
    const answer = tail.then(() =>
      exchangeFrames({ socket, line, address, answerMax, abandon, leave }, frame, options),
    );
    tail = answer.catch(() => undefined);
    return answer;
  };
  const stopKeeping = keepOpen(socket, line, keepMs, request);
  socket.on('close', (code, reason) => {
    stopKeeping();
    const why =
      reason.length > 0 ? `${String(code)} ${heard(address, reason.toString('utf8'))}` : String(code);
    endConnection(line, closedFailure(address, why, performance.now() - line.usedAt));
  });
  return {
    request,
    close: () => {
      // Whoever closes it knows; only an end that comes from outside is news.
      line.listeners.length = 0;
      endConnection(line, new Failure('closed', 'the connection was closed'));
      sayGoodbye(socket);
    },
    onClosed: (listener) => (line.ended === null ? line.listeners.push(listener) : listener(line.ended)),
  };
}

/** Tells the server that its session is over, and closes the socket. */
function sayGoodbye(socket: WebSocket): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'close' }));
  socket.close();
}

/**
 * A person may think for long. What stands between lets a silent connection go, often after a minute, and a server the
 * session in which nothing is asked. Returns its undo.
 */
function keepOpen(
  socket: WebSocket,
  line: ConnectionState,
  keepMs: number,
  request: OpenEnvConnection['request'],
): () => void {
  const pings = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, PING_MS);
  const keeps = setInterval(() => {
    if (line.waiting !== null || performance.now() - line.usedAt < keepMs) return;
    request({ type: 'mcp', data: KEEP_REQUEST }, { timeoutMs: KEEP_ANSWER_MS }).catch(() => undefined);
  }, keepMs);
  for (const timer of [pings, keeps]) timer.unref();
  return () => {
    for (const timer of [pings, keeps]) clearInterval(timer);
  };
}

type Exchange = {
  socket: WebSocket;
  line: ConnectionState;
  address: Address;
  answerMax: number;
  abandon: (failure: Failure) => void;
  /** Ends the session in order, though its last request is not answered. */
  leave: (failure: Failure) => void;
};

async function exchangeFrames(
  { socket, line, address, answerMax, abandon, leave }: Exchange,
  frame: ClientFrame,
  { timeoutMs, signal }: RequestOptions,
): Promise<FrameAnswer> {
  if (line.ended !== null) throw line.ended;
  if (signal?.aborted === true)
    throw new Failure('cancelled', 'the request was cancelled before it was sent');
  const startedAt = performance.now();
  const idle_ms = startedAt - line.usedAt;
  const data = await new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => abandon(timedOut(address, frame.type, timeoutMs)), timeoutMs);
    const abort = (): void => leave(new Failure('cancelled', 'the request was cancelled'));
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
  const answeredAt = performance.now();
  if (frame.type !== 'mcp' || frame.data !== KEEP_REQUEST) line.usedAt = answeredAt;
  const latency_ms = answeredAt - startedAt;
  if (data.length > answerMax) throw oversizedFrame(address.base, data, { most: answerMax, latency_ms });
  const raw = data.toString('utf8');
  return { frame: parseFrame(raw, address), raw, latency_ms, idle_ms };
}
