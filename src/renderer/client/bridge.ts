// The desktop's transport: the two functions the preload exposes.
import { BRIDGE_NAME, type Bridge, type BridgeNews, type BridgeReply } from '../../shared/contract/bridge.ts';
import type { Outputs } from '../../shared/contract/contract.ts';
import type { Topic } from '../../shared/contract/envelope.ts';
import { failureFrom } from '../../shared/failure.ts';
import { parseJson } from '../../shared/json.ts';
import { type OnFailure, type OnPush, type Transport, topicAfter } from './transport.ts';

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
      const reply = parseJson(await bridge.request(method, JSON.stringify(input), seat)) as BridgeReply;
      if (!reply.ok) throw failureFrom(reply.failure);
      return reply.value as Outputs[typeof method];
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
  const hear = (text: string): void => {
    if (isEnded) return;
    const news = parseJson(text) as BridgeNews;
    if (news.type === 'failure') return onFailure?.(news.failure);
    const { push } = news;
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
