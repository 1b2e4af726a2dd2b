// What the console watches over one line, and asking for it again after a gap.
import type { Push, ToMain, Topic } from '../../shared/contract/envelope.ts';
import type { FailureShape } from '../../shared/failure.ts';
import type { OnFailure, OnPush } from './transport.ts';

type Watch = { id: number; topic: Topic; onPush: OnPush; onFailure: OnFailure | undefined };

type Subscriptions = {
  add: (topic: Topic, onPush: OnPush, onFailure?: OnFailure) => () => void;
  push: (id: number, push: Push) => void;
  fail: (id: number, failure: FailureShape) => void;
  /** Asks for everything again over a new line. `isFirst` when nothing can have been missed. */
  resume: (isFirst: boolean) => void;
};

const REFETCH: Push = { topic: 'refetch' };

/** `send` returns false when there is no line; `resume` makes up for it. */
export function createSubscriptions(nextId: () => number, send: (message: ToMain) => boolean): Subscriptions {
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

/** The topic as it must be asked for to get what follows `push`. */
export function topicAfter(topic: Topic, push: Push): Topic {
  if (topic.topic !== 'episode' || push.topic !== 'episode') return topic;
  const last = push.events.at(-1)?.n ?? topic.after;
  return last > topic.after ? { ...topic, after: last } : topic;
}
