// The browser's transport: one WebSocket to `/console`, every frame parsed.
import type { Inputs, Method, Outputs } from '../../shared/contract/contract.ts';
import { deskAfter } from '../../shared/contract/deskChanges.ts';
import type { DeskPush, ToMain, ToView, Push, Topic } from '../../shared/contract/envelope.ts';
import type { Frame } from '../../shared/contract/frames.ts';
import {
  OTHER_VERSION,
  SOCKET_VERSION,
  SUBPROTOCOL_PREFIX,
  TRY_LATER,
} from '../../shared/contract/greeting.ts';
import { Failure, failureFrom, type FailureShape } from '../../shared/failure.ts';
import { isRecord, tryExactJson } from '../../shared/json.ts';
import { createFirstLine, type EarlyLine } from './earlyLine.ts';
import {
  type ConnectionStatus,
  type Transport,
  type OnFailure,
  type OnPush,
  topicAfter,
} from './transport.ts';

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

/** Handles a frame by the kind of its message; `ours` is the id that we gave what it answers to. */
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

const BAD_FRAME: FailureShape = {
  code: 'internal',
  message: 'The server sent a frame that is not in the agreed form.',
  next: 'Reload the page: the console and the server may be of different versions.',
};

/**
 * Reads the frames of a socket. The server that sent the page sends them too, made by the types of the contract,
 * and a greeting of another version closes the line: to parse them once more would cost every page the schemas of
 * all commands and events before it shows anything.
 */
const isFrame = (raw: unknown): raw is Frame =>
  isRecord(raw) && typeof raw['id'] === 'number' && typeof raw['type'] === 'string';

/** One reader for each line; a frame it cannot read becomes the failure of what it was meant for. */
export function createSocketReader(): (data: unknown) => ToView {
  let desk: DeskPush | null = null;
  const changed = ({ id, desk: changes }: Extract<Frame, { type: 'desk' }>): ToView => {
    const push = desk === null ? null : deskAfter(desk, changes);
    if (push === null) return { type: 'failure', id, failure: BAD_FRAME };
    desk = push;
    return { type: 'push', id, push };
  };
  return (data) => {
    const frame = typeof data === 'string' ? tryExactJson(data) : undefined;
    if (!isFrame(frame)) return { type: 'failure', id: -1, failure: BAD_FRAME };
    if (frame.type === 'desk') return changed(frame);
    if (frame.type === 'push' && frame.push.topic === 'desk') desk = frame.push;
    return frame;
  };
}

type PendingRequest = {
  message: ToMain;
  isSent: boolean;
  timer: ReturnType<typeof setTimeout>;
  resolve: (value: unknown) => void;
  reject: (failure: Failure) => void;
};

/** A model that is tried or an environment that is checked may take its time; nothing takes longer than this. */
const ANSWER_DEADLINE_MS = 120_000;
/** A request's wait for a line before it says that there is none. */
const LINE_DEADLINE_MS = 20_000;

const lost = (): Failure =>
  new Failure('closed', 'The connection was lost before the answer came.', {
    next: 'Whether it was carried out shows as soon as the connection is back.',
  });
const noLine = (): Failure =>
  new Failure('closed', 'There is no connection; nothing was sent.', {
    next: 'Check that the server runs, then try again.',
  });
const slow = (method: string): Failure =>
  new Failure('timeout', `No answer to ${method} within ${String(ANSWER_DEADLINE_MS / 1000)} s.`, {
    next: 'Look whether it was carried out before you try again.',
  });

type Requests = {
  call: <M extends Method>(method: M, input: Inputs[M]) => Promise<Outputs[M]>;
  answer: (id: number, value: unknown) => void;
  /** True when `id` was a request of ours. */
  fail: (id: number, failure: FailureShape) => boolean;
  /** Sends what waited for a line. */
  flush: () => void;
  /** Fails what was sent; with `andUnsent` also what was not. */
  drop: (andUnsent: boolean) => void;
};

/** Requests on their way, each settled exactly once. `send` returns false when there is no line. */
function createRequests(nextId: () => number, send: (message: ToMain) => boolean): Requests {
  const waiting = new Map<number, PendingRequest>();

  const take = (id: number): PendingRequest | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    clearTimeout(found?.timer);
    return found;
  };
  const post = (id: number, entry: PendingRequest): void => {
    if (!send(entry.message)) return;
    entry.isSent = true;
    clearTimeout(entry.timer);
    const method = entry.message.type === 'request' ? entry.message.method : '';
    entry.timer = setTimeout(() => take(id)?.reject(slow(method)), ANSWER_DEADLINE_MS);
  };

  return {
    call(method, input) {
      const id = nextId();
      return new Promise<Outputs[typeof method]>((resolve, reject) => {
        const timer = setTimeout(() => take(id)?.reject(noLine()), LINE_DEADLINE_MS);
        const message: ToMain = { type: 'request', id, method, input };
        const settle = (value: unknown): void => resolve(value as Outputs[typeof method]);
        const entry: PendingRequest = { message, isSent: false, timer, resolve: settle, reject };
        waiting.set(id, entry);
        post(id, entry);
      });
    },
    answer: (id, value) => take(id)?.resolve(value),
    fail(id, failure) {
      const found = take(id);
      found?.reject(failureFrom(failure));
      return found !== undefined;
    },
    flush() {
      for (const [id, entry] of waiting) if (!entry.isSent) post(id, entry);
    },
    drop(andUnsent) {
      for (const [id, entry] of waiting)
        if (entry.isSent) take(id)?.reject(lost());
        else if (andUnsent) take(id)?.reject(noLine());
    },
  };
}

type ConnectionEdges = {
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

function createConnection(edges: ConnectionEdges, events: ConnectionEvents): Connection {
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

type Watch = { id: number; topic: Topic; onPush: OnPush; onFailure: OnFailure | undefined };

type Subscriptions = {
  add: (topic: Topic, onPush: OnPush, onFailure?: OnFailure) => () => void;
  push: (id: number, push: Push) => void;
  fail: (id: number, failure: FailureShape) => void;
  /** Asks for everything again over a new line. `isFirst` when nothing can have been missed. */
  resume: (isFirst: boolean) => void;
};

const REFETCH: Push = { topic: 'refetch' };

/** Subscriptions over one line to main. `send` returns false when there is no line; `resume` makes up for it. */
function createSubscriptions(nextId: () => number, send: (message: ToMain) => boolean): Subscriptions {
  const watches = new Map<number, Watch>();

  const ask = (watch: Watch): void => {
    watch.id = nextId();
    watches.set(watch.id, watch);
    send({ type: 'subscribe', id: watch.id, topic: watch.topic });
  };
  const askAgain = (watch: Watch): void => {
    watches.delete(watch.id);
    send({ type: 'unsubscribe', id: watch.id });
    ask(watch);
  };

  return {
    add(topic, onPush, onFailure) {
      const watch: Watch = { id: 0, topic, onPush, onFailure };
      ask(watch);
      return () => {
        if (watches.delete(watch.id)) send({ type: 'unsubscribe', id: watch.id });
      };
    },
    push(id, push) {
      const watch = watches.get(id);
      if (watch === undefined) return;
      watch.topic = topicAfter(watch.topic, push);
      watch.onPush(push);
      if (push.topic === 'refetch' && watches.get(id) === watch) askAgain(watch);
    },
    fail(id, failure) {
      const watch = watches.get(id);
      watches.delete(id);
      watch?.onFailure?.(failure);
    },
    resume(isFirst) {
      const all = [...watches.values()];
      watches.clear();
      for (const watch of all) {
        ask(watch);
        if (!isFirst) watch.onPush(REFETCH);
      }
    },
  };
}
