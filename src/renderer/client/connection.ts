// One WebSocket that comes back: back-off with jitter, and telling "server away" from "token refused".
import { OTHER_VERSION, TRY_LATER } from '../../shared/contract/greeting.ts';
import type { ConnectionStatus } from './transport.ts';

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
