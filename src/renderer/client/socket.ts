// The browser's transport: one WebSocket to `/console`, every frame parsed.
import type { ToMain } from '../../shared/contract/envelope.ts';
import { SOCKET_VERSION, SUBPROTOCOL_PREFIX } from '../../shared/contract/greeting.ts';
import { createConnection, type ConnectionEdges } from './connection.ts';
import { createFirstLine, type EarlyLine } from './earlyLine.ts';
import { createSocketReader } from './frames.ts';
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
