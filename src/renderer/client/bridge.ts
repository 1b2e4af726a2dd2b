// The desktop's transport: the two functions the preload exposes, their answers parsed.
import { BRIDGE_NAME, BridgeNews, BridgeReply, type Bridge } from '../../shared/contract/bridge.ts';
import type { Topic } from '../../shared/contract/envelope.ts';
import { failureFrom, type FailureShape } from '../../shared/failure.ts';
import { parseOutput } from './requests.ts';
import { topicAfter } from './subscriptions.ts';
import type { OnFailure, OnPush, Transport } from './transport.ts';

const BAD_NEWS: FailureShape = {
  code: 'internal',
  message: 'The main process sent news that is not in the agreed form.',
  next: 'Restart the app.',
};

/** The preload's bridge, or null in a browser. */
export function findBridge(scope: object): Bridge | null {
  const found: unknown = Reflect.get(scope, BRIDGE_NAME);
  const isBridge = typeof found === 'object' && found !== null && 'request' in found && 'subscribe' in found;
  return isBridge ? (found as Bridge) : null;
}

/** A transport over IPC; its line is as alive as the app. */
export function createBridgeTransport(bridge: Bridge, seat: string): Transport {
  const open = new Set<() => void>();
  return {
    async call(method, input) {
      const reply = BridgeReply.parse(await bridge.request(method, input, seat));
      if (!reply.ok) throw failureFrom(reply.failure);
      return parseOutput(method, reply.value);
    },
    subscribe(topic, onPush, onFailure) {
      const end = watch(bridge, seat, topic, onPush, onFailure);
      const stop = (): void => {
        open.delete(stop);
        end();
      };
      open.add(stop);
      return stop;
    },
    status: () => ({ state: 'open' }),
    onStatus: () => () => undefined,
    retry: () => undefined,
    close() {
      for (const stop of open) stop();
    },
  };
}

/** One subscription; after a `refetch` it asks again from the last n. */
function watch(bridge: Bridge, seat: string, from: Topic, onPush: OnPush, onFailure?: OnFailure): () => void {
  let topic = from;
  let isEnded = false;
  let end: () => void = () => undefined;
  const hear = (raw: unknown): void => {
    if (isEnded) return;
    const news = BridgeNews.safeParse(raw);
    if (!news.success) return onFailure?.(BAD_NEWS);
    if (news.data.type === 'failure') return onFailure?.(news.data.failure);
    const { push } = news.data;
    topic = topicAfter(topic, push);
    onPush(push);
    if (push.topic !== 'refetch') return;
    end();
    end = bridge.subscribe(topic, seat, hear);
  };
  end = bridge.subscribe(topic, seat, hear);
  return () => {
    isEnded = true;
    end();
  };
}
