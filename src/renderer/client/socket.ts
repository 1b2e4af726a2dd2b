// The browser's transport: one WebSocket to `/console`, every frame parsed.
import {
  SOCKET_VERSION,
  SUBPROTOCOL_PREFIX,
  type ToMain,
  type ToView,
} from '../../shared/contract/envelope.ts';
import { createFrameReader } from '../../shared/contract/frames.ts';
import { OTHER_VERSION, TRY_LATER } from '../../shared/contract/greeting.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import { createFirstLine, type EarlyLine } from './earlyLine.ts';
import { createRequests } from './requests.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { ConnectionStatus, Transport } from './transport.ts';

export type SocketOptions = {
  /** `ws://host:port`, without a path. */
  origin: string;
  /** The entry whose cookie the browser holds now; */
  entry?: () => string;
  /** for a client that is no browser its token. */
  token?: string;
  seat: string;
  /** A line to this door that is open already, or about to be. */
  early?: EarlyLine | null;
  edges?: Partial<ConnectionEdges>;
};

/** A transport over a WebSocket that reconnects by itself. */
export function createSocketTransport({
  origin,
  seat,
  early = null,
  edges,
  ...way
}: SocketOptions): Transport {
  const listeners = new Set<(status: ConnectionStatus) => void>();
  let lastId = 0;
  let isFirst = true;
  const nextId = (): number => (lastId += 1);
  const first = createFirstLine(early);
  const send = (message: ToMain): boolean =>
    connection.status().state === 'open' &&
    (first.hasAsked(message) || connection.send(JSON.stringify(first.written(message))));
  const requests = createRequests(nextId, send);
  const subscriptions = createSubscriptions(nextId, send);

  const receive = createReceiver(requests, subscriptions, first.ours);
  const connection = createConnection(
    {
      open: () => first.socket() ?? openSocket(origin, way, seat),
      isRefused: () => isRefused(origin, way),
      random: Math.random,
      ...edges,
    },
    {
      greet: () => void send({ type: 'hello', id: nextId(), version: SOCKET_VERSION }),
      onOpen() {
        subscriptions.resume(isFirst);
        isFirst = false;
        requests.flush();
        for (const frame of first.frames()) receive(frame);
      },
      onFrame: receive,
      onLost() {
        first.end();
        requests.drop(false);
      },
      onStatus(status) {
        if (status.state === 'refused') requests.drop(true);
        for (const tell of listeners) tell(status);
      },
    },
  );
  return {
    call: requests.call,
    subscribe: subscriptions.add,
    status: connection.status,
    retry: connection.retry,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      connection.close();
      requests.drop(true);
    },
  };
}

type Way = Pick<SocketOptions, 'entry' | 'token'>;

const pathOf = ({ entry }: Way): string => (entry === undefined ? '/console' : `/console/${entry()}`);

const openSocket = (origin: string, way: Way, seat: string): WebSocket =>
  new WebSocket(
    `${origin}${pathOf(way)}?seat=${encodeURIComponent(seat)}`,
    way.token === undefined ? [] : [`${SUBPROTOCOL_PREFIX}${way.token}`],
  );

/** What to do with a frame, by the kind of its message; `ours` is the id that we gave what it answers to. */
function createReceiver(
  requests: ReturnType<typeof createRequests>,
  subscriptions: ReturnType<typeof createSubscriptions>,
  ours: (id: number) => number,
): (data: unknown) => void {
  const readFrame = createSocketReader();
  return (data) => {
    const message = readFrame(data);
    const id = ours(message.id);
    if (message.type === 'value') requests.answer(id, message.value);
    else if (message.type === 'push') subscriptions.push(id, message.push);
    else if (!requests.fail(id, message.failure)) subscriptions.fail(id, message.failure);
  };
}

/** Asks the console's door; a server that is away refuses nothing. */
const isRefused = (origin: string, way: Way): Promise<boolean> =>
  fetch(`${origin.replace(/^ws/, 'http')}${pathOf(way)}`, {
    headers: way.token === undefined ? {} : { authorization: `Bearer ${way.token}` },
    cache: 'no-store',
  }).then(
    ({ status }) => status === 401,
    () => false,
  );

export type ConnectionEdges = {
  open: () => WebSocket;
  /** Asks whether it is the token that is refused; a socket that did not open does not say why. */
  isRefused: () => Promise<boolean>;
  random: () => number;
};
type ConnectionEvents = {
  /** The line is open, and whoever asks something when they hear of it has not heard yet. */
  greet: () => void;
  onOpen: () => void;
  onFrame: (data: unknown) => void;
  onLost: () => void;
  onStatus: (status: ConnectionStatus) => void;
};
type Connection = {
  /** False when there is no open line. */
  send: (text: string) => boolean;
  status: () => ConnectionStatus;
  retry: () => void;
  close: () => void;
};

const WRONG_TOKEN: ConnectionStatus = { state: 'refused', reason: 'wrong' };
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** The wait before attempt `attempt` (from 1): doubling, and between half and all of it by chance. */
export const retryDelayMs = (attempt: number, random: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + random / 2);

export function createConnection(edges: ConnectionEdges, events: ConnectionEvents): Connection {
  let status: ConnectionStatus = { state: 'connecting' };
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let isEnded = false;

  const become = (next: ConnectionStatus): void => events.onStatus((status = next));
  const connect = (): void => {
    clearTimeout(timer);
    if (isEnded) return;
    const mine = (socket = opened(edges.open));
    if (mine === null) return queueMicrotask(() => end(WRONG_TOKEN));
    whenOpen(mine, () => {
      status = { state: 'open' };
      events.greet();
      become(status);
      events.onOpen();
    });
    mine.addEventListener('message', ({ data }) => events.onFrame(data));
    mine.addEventListener('close', ({ code, reason }) => {
      if (socket === mine && !isEnded) lose(code, reason);
    });
  };
  const lose = (code: number, reason: string): void => {
    socket = null;
    if (code === OTHER_VERSION) return end({ state: 'refused', reason: 'version', why: reason });
    const why = code === TRY_LATER ? reason : '';
    const hadOpened = status.state === 'open';
    // A server that lets in and says no at once is not asked at once again.
    attempt = hadOpened && why === '' ? 1 : attempt + 1;
    const delay = retryDelayMs(attempt, edges.random());
    timer = setTimeout(connect, delay);
    become({ state: 'closed', attempt, retryAt: Date.now() + delay, ...(why === '' ? {} : { why }) });
    events.onLost();
    if (hadOpened) return;
    void edges.isRefused().then((isIt) => {
      if (isIt && status.state !== 'open' && !isEnded) end(WRONG_TOKEN);
    });
  };
  const end = (refused: ConnectionStatus): void => {
    clearTimeout(timer);
    isEnded = true;
    become(refused);
  };

  connect();
  return {
    send(text) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    status: () => status,
    retry: () => (status.state === 'closed' ? connect() : undefined),
    close() {
      isEnded = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

/** A line that was opened before is told of later, as any other is. */
function whenOpen(socket: WebSocket, tell: () => void): void {
  if (socket.readyState === WebSocket.OPEN) queueMicrotask(tell);
  else socket.addEventListener('open', tell);
}

/** Null for a token that no request can carry: such a one was never given out. */
function opened(open: () => WebSocket): WebSocket | null {
  try {
    return open();
  } catch {
    return null;
  }
}

const BAD_FRAME: FailureShape = {
  code: 'internal',
  message: 'The server sent a frame that is not in the agreed form.',
  next: 'Reload the page: the console and the server may be of different versions.',
};

/** A frame as the contract has it; one that is not becomes the failure of what it was meant for. */
export function createSocketReader(): (data: unknown) => ToView {
  const read = createFrameReader();
  return (data) => {
    const raw = readJson(data);
    return read(raw) ?? { type: 'failure', id: idOf(raw), failure: BAD_FRAME };
  };
}

function readJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? parseJson(data) : null;
  } catch {
    return null;
  }
}

const idOf = (raw: unknown): number => (isRecord(raw) && typeof raw['id'] === 'number' ? raw['id'] : -1);
