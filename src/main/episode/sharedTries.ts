// Tries of the same calls in the same state, made once: those who ask while one is under way wait for it, later ones get
// what is kept. A few are made at a time, the newest first: that is what somebody looks at now.
import { Failure } from '../../shared/failure.ts';
import { unlessAborted } from './taskKnowledge.ts';

type SharedTry<T> = {
  group: string;
  value: Promise<T>;
  stop: AbortController;
  waiting: number;
  isOver: boolean;
  /** A person asked for it: it is not given up because its question closed. */
  isAskedFor: boolean;
};

type TryRequest<T> = {
  key: string;
  /** The episode: what belongs to it ends with its question. */
  group: string;
  isAskedFor: boolean;
  signal: AbortSignal;
  make: (signal: AbortSignal) => Promise<T>;
};

export type SharedTries<T> = {
  /** Throws `closed` for who gave up, and when the group's question closed. */
  ask(request: TryRequest<T>): Promise<T>;
  forget(key: string): void;
  /** Gives up what the console tried by itself, and forgets it. */
  endGroup(group: string): void;
};

export function createSharedTries<T>({ atOnce, kept }: { atOnce: number; kept: number }): SharedTries<T> {
  const known = new Map<string, SharedTry<T>>();
  const line = createLine(atOnce);
  const begin = ({ key, group, isAskedFor, make }: TryRequest<T>): SharedTry<T> => {
    const stop = new AbortController();
    const value = line.enter(() => make(stop.signal), stop.signal);
    const begun: SharedTry<T> = { group, value, stop, waiting: 0, isOver: false, isAskedFor };
    value.then(
      () => void (begun.isOver = true),
      () => {
        begun.isOver = true;
        // A failure is not kept: the next one tries again.
        if (known.get(key) === begun) known.delete(key);
      },
    );
    return begun;
  };
  const drop = (key: string, one: SharedTry<T>): void => {
    if (known.get(key) === one) known.delete(key);
    if (!one.isOver) one.stop.abort(givenUp());
  };
  return {
    ask: async (request) => {
      const { key, signal, isAskedFor } = request;
      const one = known.get(key) ?? begin(request);
      one.isAskedFor ||= isAskedFor;
      // The one that was used last is dropped last.
      known.delete(key);
      known.set(key, one);
      for (const [oldest, { isOver }] of known) {
        if (known.size <= kept) break;
        if (isOver) known.delete(oldest);
      }
      one.waiting += 1;
      try {
        return await unlessAborted(one.value, signal, givenUp);
      } finally {
        one.waiting -= 1;
        if (one.waiting === 0 && !one.isOver) drop(key, one);
      }
    },
    forget: (key) => void known.delete(key),
    endGroup: (group) => {
      for (const [key, one] of known) if (one.group === group && !one.isAskedFor) drop(key, one);
    },
  };
}

const givenUp = (): Failure => new Failure('closed', 'the try was given up');

/** So many at once; who comes last goes first. */
function createLine(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    while (running < atOnce) {
      const begin = waiting.pop();
      if (begin === undefined) return;
      begin();
    }
  };
  return {
    enter: <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      const entered = new Promise<T>((resolve, reject) => {
        waiting.push(() => {
          if (signal.aborted) return reject(givenUp());
          running += 1;
          work()
            .then(resolve, reject)
            .finally(() => {
              running -= 1;
              next();
            });
        });
      });
      next();
      return entered;
    },
  };
}
