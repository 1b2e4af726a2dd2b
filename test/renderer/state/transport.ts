// A wire whose other end the test plays: answers are given by method, news is told by hand.
import type { Inputs, Method, Outputs } from '../../../src/shared/contract/contract.ts';
import type { Push, Topic } from '../../../src/shared/contract/envelope.ts';
import type { FailureShape } from '../../../src/shared/failure.ts';
import type {
  ConnectionStatus,
  OnFailure,
  OnPush,
  Transport,
} from '../../../src/renderer/client/transport.ts';

type Answers = { [M in Method]?: (input: Inputs[M]) => Outputs[M] | Promise<Outputs[M]> };
export type Watch = { topic: Topic; isEnded: boolean; push: OnPush; fail: OnFailure };

export type ScriptedTransport = Transport & {
  watches: Watch[];
  /** The open subscriptions of a topic. */
  watching: (topic: Topic['topic']) => Watch[];
  tell: (push: Push) => void;
  fail: (topic: Topic['topic'], failure: FailureShape) => void;
  become: (status: ConnectionStatus) => void;
};

export const NOTHING_RUNS = { total: 0, rows: [], seq: 0 };
export const DESCRIBED: Outputs['app.describe'] = {
  version: '1',
  host: 'browser',
  seat: 'seat-1',
  role: 'owner',
  data_folder: '/d',
  agent_model: null,
  expert_model: null,
  notices: [],
  cut_chars: null,
};

/** An unexpected call fails the test that made it. */
export function createScriptedTransport(answers: Answers = {}): ScriptedTransport {
  const watches: Watch[] = [];
  const listeners = new Set<(status: ConnectionStatus) => void>();
  let status: ConnectionStatus = { state: 'open' };
  const known: Answers = {
    'app.describe': () => DESCRIBED,
    'episodes.page': () => NOTHING_RUNS,
    ...answers,
  };
  const watching = (topic: Topic['topic']): Watch[] =>
    watches.filter((watch) => watch.topic.topic === topic && !watch.isEnded);
  return {
    watches,
    watching,
    async call<M extends Method>(method: M, input: Inputs[M]): Promise<Outputs[M]> {
      const answer = known[method];
      if (answer === undefined) throw new Error(`the test answers no ${method}`);
      await Promise.resolve();
      return answer(input);
    },
    subscribe(topic, push, onFailure) {
      const watch: Watch = { topic, isEnded: false, push, fail: (failure) => onFailure?.(failure) };
      watches.push(watch);
      return () => {
        watch.isEnded = true;
      };
    },
    tell(push) {
      for (const watch of watches.slice()) {
        const isAbout =
          push.topic === 'episode'
            ? watch.topic.topic === 'episode' && watch.topic.episode === push.episode
            : watch.topic.topic === push.topic;
        if (isAbout && !watch.isEnded) watch.push(push);
      }
    },
    fail: (topic, failure) => watching(topic).forEach((watch) => watch.fail(failure)),
    status: () => status,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    become(next) {
      status = next;
      for (const tell of listeners) tell(next);
    },
    retry: () => undefined,
    close: () => undefined,
  };
}

/** Lets every promise that can settle do so. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
