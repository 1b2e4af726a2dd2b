// The console over a desktop window's messages: the same router and feeds as the socket, one sender trusted.
import type { BridgeNews, BridgeReply } from '../../shared/contract/bridge.ts';
import { SeatId, Topic } from '../../shared/contract/envelope.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import { parseJson } from '../../shared/json.ts';
import type { App } from '../app/types.ts';

/** The window that sent a message: where its page came from, and how to send it news. */
export type Sender = { url: string; send: (id: number, news: string) => void };

export type BridgeDoor = {
  request(sender: Sender, method: unknown, input: unknown, seat: unknown): Promise<string>;
  subscribe(sender: Sender, id: unknown, topic: unknown, seat: unknown): void;
  unsubscribe(sender: Sender, id: unknown): void;
  /** The page is gone: nothing more is sent. */
  close(): void;
};

/** `origin` is the only page that may speak: anything that navigated there by mistake or malice is refused. */
export function createBridgeDoor(app: Pick<App, 'route' | 'subscribe'>, origin: string): BridgeDoor {
  const subscriptions = new Map<number, () => void>();
  const isOwn = ({ url }: Sender): boolean => url.startsWith(`${origin}/`);
  const checkSender = (sender: Sender): void => {
    if (!isOwn(sender))
      throw new Failure('unauthorized', `a page at ${sender.url} may not command Interject`);
  };
  const answer = async (
    sender: Sender,
    method: unknown,
    input: unknown,
    seat: unknown,
  ): Promise<BridgeReply> => {
    try {
      checkSender(sender);
      if (typeof method !== 'string' || typeof input !== 'string')
        throw new Failure('bad_input', 'a command is named by a text, and so is its input');
      return { ok: true, value: await app.route(method, parseJson(input), { seat: SeatId.parse(seat) }) };
    } catch (thrown) {
      return { ok: false, failure: failureShape(thrown) };
    }
  };
  const send = (sender: Sender, id: number, news: BridgeNews): void => sender.send(id, JSON.stringify(news));
  return {
    request: async (...asked) => JSON.stringify(await answer(...asked)),
    subscribe: (sender, id, topic, seat) => {
      if (typeof id !== 'number') return;
      try {
        checkSender(sender);
        subscriptions.get(id)?.();
        subscriptions.set(
          id,
          app.subscribe(
            Topic.parse(topic),
            (push) => send(sender, id, { type: 'push', push }),
            () => true,
            { seat: SeatId.parse(seat) },
          ),
        );
      } catch (thrown) {
        send(sender, id, { type: 'failure', failure: failureShape(thrown) });
      }
    },
    unsubscribe: (sender, id) => {
      if (typeof id !== 'number' || !isOwn(sender)) return;
      subscriptions.get(id)?.();
      subscriptions.delete(id);
    },
    close: () => {
      for (const unsubscribe of subscriptions.values()) unsubscribe();
      subscriptions.clear();
    },
  };
}
