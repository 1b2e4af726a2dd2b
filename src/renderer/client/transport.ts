// The interface of a console's transport: typed calls, subscriptions, and the state of the connection. Must not know:
// which host it runs in.
import type { Inputs, Method, Outputs } from '../../shared/contract/contract.ts';
import type { Push, Topic } from '../../shared/contract/envelope.ts';
import type { FailureShape } from '../../shared/failure.ts';

/**
 * `closed` has lost its line and tries again at `retryAt`; `why` is the server's own word for it. `refused` will not try again:
 * the token is missing or wrong, or the server speaks another version than this page.
 */
export type ConnectionStatus =
  | { state: 'connecting' }
  | { state: 'open' }
  | { state: 'closed'; attempt: number; retryAt: number; why?: string }
  | { state: 'refused'; reason: 'missing' | 'wrong' }
  | { state: 'refused'; reason: 'version'; why: string };

export type OnPush = (push: Push) => void;
export type OnFailure = (failure: FailureShape) => void;

export type Transport = {
  /** Rejects with a Failure; `closed` when the line dropped before the answer came. */
  call: <M extends Method>(method: M, input: Inputs[M]) => Promise<Outputs[M]>;
  /**
   * Watches a topic until the returned function is called, over reconnects: an episode goes on from the last n.
   * A `refetch` push says that news of the topic may have been missed.
   */
  subscribe: (topic: Topic, onPush: OnPush, onFailure?: OnFailure) => () => void;
  status: () => ConnectionStatus;
  /** Hears every change of status; the returned function ends it. */
  onStatus: (listener: (status: ConnectionStatus) => void) => () => void;
  /** Tries again at once instead of at `retryAt`. */
  retry: () => void;
  /** Ends the line; requests in flight fail with `closed`. */
  close: () => void;
};

/** The topic as it must be asked for to get what follows `push`. */
export function topicAfter(topic: Topic, push: Push): Topic {
  if (topic.topic !== 'episode' || push.topic !== 'episode') return topic;
  const last = push.events.at(-1)?.n ?? topic.after;
  return last > topic.after ? { ...topic, after: last } : topic;
}
