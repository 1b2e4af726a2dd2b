// The browser's transport: one WebSocket to `/console`, every frame parsed.
import { SUBPROTOCOL_PREFIX, ToView, type ToMain } from '../../shared/contract/envelope.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { parseJson } from '../../shared/json.ts';
import { createConnection, type ConnectionEdges } from './connection.ts';
import { createRequests } from './requests.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { ConnectionStatus, Transport } from './transport.ts';

export type SocketOptions = {
  /** `ws://host:port`, without a path. */
  origin: string;
  token: string;
  seat: string;
  edges?: Partial<ConnectionEdges>;
};

const BAD_FRAME: FailureShape = {
  code: 'internal',
  message: 'The server sent a frame that is not in the agreed form.',
  next: 'Reload the page: the console and the server may be of different versions.',
};

/** A transport over a WebSocket that reconnects by itself. */
export function createSocketTransport({ origin, token, seat, edges }: SocketOptions): Transport {
  const listeners = new Set<(status: ConnectionStatus) => void>();
  let lastId = 0;
  let isFirst = true;
  const nextId = (): number => (lastId += 1);
  const send = (message: ToMain): boolean => connection.send(JSON.stringify(message));
  const requests = createRequests(nextId, send);
  const subscriptions = createSubscriptions(nextId, send);

  const receive = (data: unknown): void => {
    const message = readFrame(data);
    if (message.type === 'value') requests.answer(message.id, message.value);
    else if (message.type === 'push') subscriptions.push(message.id, message.push);
    else if (!requests.fail(message.id, message.failure)) subscriptions.fail(message.id, message.failure);
  };
  const connection = createConnection(
    {
      open: () =>
        new WebSocket(`${origin}/console?seat=${encodeURIComponent(seat)}`, `${SUBPROTOCOL_PREFIX}${token}`),
      isRefused: () => isTokenRefused(origin, token),
      random: Math.random,
      ...edges,
    },
    {
      onOpen() {
        subscriptions.resume(isFirst);
        isFirst = false;
        requests.flush();
      },
      onFrame: receive,
      onLost: () => requests.drop(false),
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

/** Asks the console's door; a server that is away refuses nothing. */
const isTokenRefused = (origin: string, token: string): Promise<boolean> =>
  fetch(`${origin.replace(/^ws/, 'http')}/console`, {
    headers: { authorization: `Bearer ${token}` },
    cache: 'no-store',
  }).then(
    ({ status }) => status === 401,
    () => false,
  );

/** A frame as the contract has it; one that is not becomes the failure of what it was meant for. */
function readFrame(data: unknown): ToView {
  let raw: unknown = null;
  try {
    raw = typeof data === 'string' ? parseJson(data) : null;
  } catch {
    raw = null;
  }
  const parsed = ToView.safeParse(raw);
  if (parsed.success) return parsed.data;
  const id = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : null;
  return { type: 'failure', id: typeof id === 'number' ? id : -1, failure: BAD_FRAME };
}
