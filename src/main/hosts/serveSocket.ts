// Serves one client of a socket over the router and the feeds: a console, or a command of the command line.
import type { WebSocket } from 'ws';
import type { Caller } from '../../shared/contract/contract.ts';
import { deskChanges } from '../../shared/contract/deskChanges.ts';
import { greetingIn, OTHER_VERSION } from '../../shared/contract/greeting.ts';
import { type DeskPush, ToMain, type Topic, type ToView } from '../../shared/contract/envelope.ts';
import { checkTopic } from '../../shared/contract/roles.ts';
import { failureShape } from '../../shared/failure.ts';
import { plainOutsideArguments, tryExactJson } from '../../shared/json.ts';
import type { App } from '../app/types.ts';

/** A view that has this much unsent is slow: its feeds wait. */
const UNSENT_MAX = 4 * 1024 * 1024;

/** A desk as text, to whom was told the same before: several seats are. */
const deskTexts = new WeakMap<DeskPush, { before: DeskPush; text: string }>();

function deskText(before: DeskPush, now: DeskPush): string {
  const known = deskTexts.get(now);
  if (known?.before === before) return known.text;
  const text = JSON.stringify(deskChanges(before, now));
  deskTexts.set(now, { before, text });
  return text;
}

/** Says over one line, in order, what `createFrameReader` reads from it. */
function createSender(socket: WebSocket): (message: ToView) => void {
  let before: DeskPush | null = null;
  const write = (message: ToView): string => {
    if (message.type !== 'push' || message.push.topic !== 'desk') return JSON.stringify(message);
    const { id, push } = message;
    const told = before;
    before = push;
    return told === null
      ? JSON.stringify(message)
      : `{"type":"desk","id":${String(id)},"desk":${deskText(told, push)}}`;
  };
  return (message) => {
    if (socket.readyState === socket.OPEN) socket.send(write(message));
  };
}

/** Limits of one client at once. Each throws beyond its own, and returns its undo. */
export type SocketLimits = { request(): () => void; subscribe(): () => void };

const REFUSED_PAUSE_MS = 100;

const NO_LIMITS: SocketLimits = { request: () => () => undefined, subscribe: () => () => undefined };

/**
 * Serves one client; the returned function stops listening to it. `left` hears once that nobody listens any more.
 */
export function serveSocket(
  app: Pick<App, 'route' | 'subscribe'>,
  socket: WebSocket,
  caller: Caller,
  left: (() => void) | null,
  limits = NO_LIMITS,
): () => void {
  const send = createSender(socket);
  const fail = (id: number, thrown: unknown): void =>
    send({ type: 'failure', id, failure: failureShape(thrown) });
  const refuse = (id: number, thrown: unknown): void => {
    fail(id, thrown);
    readLater(socket);
  };
  const subscriptions = createSubscriptions(app, socket, { caller, limits, send, refuse });
  const answer = (id: number, { method, input }: { method: string; input: unknown }): void => {
    let release: () => void;
    try {
      release = limits.request();
    } catch (thrown) {
      return refuse(id, thrown);
    }
    const answered = app.route(method, input, caller).then(
      (value) => send({ type: 'value', id, value }),
      (thrown: unknown) => fail(id, thrown),
    );
    void answered.finally(release);
  };
  const receive = (data: Buffer): void => {
    const message = readMessage(data);
    if (message === null || message.type === 'hello')
      return socket.close(1008, 'not a message of this protocol');
    switch (message.type) {
      case 'request':
        return answer(message.id, message);
      case 'subscribe':
        return subscriptions.add(message.id, message.topic);
      case 'unsubscribe':
        subscriptions.end(message.id);
    }
  };
  const stop = (): void => {
    socket.off('message', hear);
    subscriptions.endAll();
    left?.();
    left = null;
  };
  const hear = onceGreeted(receive, socket, stop);
  socket.on('message', hear);
  socket.on('close', stop);
  return stop;
}

/** Passes on what comes after a hello in our version; a client that begins otherwise is refused. */
function onceGreeted(
  receive: (data: Buffer) => void,
  socket: WebSocket,
  stop: () => void,
): (data: Buffer) => void {
  let isGreeted = false;
  return (data) => {
    if (isGreeted) return receive(data);
    const { id, failure } = greetingIn(tryExactJson(data.toString('utf8')));
    isGreeted = failure === null;
    if (failure === null) return;
    stop();
    socket.send(JSON.stringify({ type: 'failure', id, failure: failureShape(failure) } satisfies ToView));
    socket.close(OTHER_VERSION, failure.message);
  };
}

type SubscriptionEdges = {
  caller: Caller;
  limits: SocketLimits;
  send: (message: ToView) => void;
  refuse: (id: number, thrown: unknown) => void;
};

/** Subscriptions of a client, by its ids. */
function createSubscriptions(
  app: Pick<App, 'subscribe'>,
  socket: WebSocket,
  { caller, limits, send, refuse }: SubscriptionEdges,
) {
  const open = new Map<number, () => void>();
  const canSend = (): boolean => socket.bufferedAmount < UNSENT_MAX;
  const end = (id: number): void => {
    open.get(id)?.();
    open.delete(id);
  };
  const add = (id: number, topic: Topic): void => {
    end(id);
    try {
      checkTopic(topic, caller);
      const release = limits.subscribe();
      open.set(id, release);
      const leave = app.subscribe(topic, (push) => send({ type: 'push', id, push }), canSend, caller);
      open.set(id, () => {
        leave();
        release();
      });
    } catch (thrown) {
      end(id);
      refuse(id, thrown);
    }
  };
  const endAll = (): void => {
    for (const id of open.keys()) end(id);
  };
  return { add, end, endAll };
}

/** Reads a client over its limit more slowly: a refusal costs little. */
function readLater(socket: WebSocket): void {
  if (socket.readyState !== socket.OPEN || socket.isPaused) return;
  socket.pause();
  setTimeout(() => socket.resume(), REFUSED_PAUSE_MS);
}

/** A program's `10.0` is the count it means; what goes to an environment keeps its digits. */
export function readMessage(data: Buffer): ToMain | null {
  const message = ToMain.safeParse(tryExactJson(data.toString('utf8'))).data ?? null;
  if (message?.type !== 'request') return message;
  return { ...message, input: plainOutsideArguments(message.input) };
}
