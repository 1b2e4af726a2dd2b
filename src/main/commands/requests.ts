// What a seat asked for that takes a while, by the name the seat gave it: the seat may give it up.
import type { Handlers } from '../../shared/contract/contract.ts';

export type Requests = {
  /** Does the work; `giveUp` is aborted when the seat gives it up under that name. */
  run<T>(seat: string, id: string, work: (giveUp: AbortSignal) => Promise<T>): Promise<T>;
  handlers: Pick<Handlers, 'request.cancel'>;
};

export function createRequests(): Requests {
  const underWay = new Map<string, AbortController>();
  return {
    run: async (seat, id, work) => {
      const key = `${seat} ${id}`;
      const stop = new AbortController();
      underWay.set(key, stop);
      try {
        return await work(stop.signal);
      } finally {
        if (underWay.get(key) === stop) underWay.delete(key);
      }
    },
    handlers: {
      'request.cancel': async ({ id }, { seat }) => {
        underWay.get(`${seat} ${id}`)?.abort();
        return {};
      },
    },
  };
}
