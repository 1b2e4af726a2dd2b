// Requests on their way: each is settled exactly once, by its answer, its deadline or the end of the line.
import type { Inputs, Method, Outputs } from '../../shared/contract/contract.ts';
import type { ToMain } from '../../shared/contract/envelope.ts';
import { Failure, failureFrom, type FailureShape } from '../../shared/failure.ts';

type PendingRequest = {
  message: ToMain;
  isSent: boolean;
  timer: ReturnType<typeof setTimeout>;
  resolve: (value: unknown) => void;
  reject: (failure: Failure) => void;
};

/** A model that is tried or an environment that is checked may take its time; nothing takes longer than this. */
const ANSWER_DEADLINE_MS = 120_000;
/** How long a request waits for a line before it says that there is none. */
const LINE_DEADLINE_MS = 20_000;

const lost = (): Failure =>
  new Failure('closed', 'The connection was lost before the answer came.', {
    next: 'Whether it was carried out shows as soon as the connection is back.',
  });
const noLine = (): Failure =>
  new Failure('closed', 'There is no connection; nothing was sent.', {
    next: 'Check that the server runs, then try again.',
  });
const slow = (method: string): Failure =>
  new Failure('timeout', `No answer to ${method} within ${String(ANSWER_DEADLINE_MS / 1000)} s.`, {
    next: 'Look whether it was carried out before you try again.',
  });

type Requests = {
  call: <M extends Method>(method: M, input: Inputs[M]) => Promise<Outputs[M]>;
  answer: (id: number, value: unknown) => void;
  /** True when `id` was a request of ours. */
  fail: (id: number, failure: FailureShape) => boolean;
  /** Sends what waited for a line. */
  flush: () => void;
  /** Fails what was sent; with `andUnsent` also what was not. */
  drop: (andUnsent: boolean) => void;
};

/** `send` returns false when there is no line. */
export function createRequests(nextId: () => number, send: (message: ToMain) => boolean): Requests {
  const waiting = new Map<number, PendingRequest>();

  const take = (id: number): PendingRequest | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    clearTimeout(found?.timer);
    return found;
  };
  const post = (id: number, entry: PendingRequest): void => {
    if (!send(entry.message)) return;
    entry.isSent = true;
    clearTimeout(entry.timer);
    const method = entry.message.type === 'request' ? entry.message.method : '';
    entry.timer = setTimeout(() => take(id)?.reject(slow(method)), ANSWER_DEADLINE_MS);
  };

  return {
    call(method, input) {
      const id = nextId();
      return new Promise<Outputs[typeof method]>((resolve, reject) => {
        const timer = setTimeout(() => take(id)?.reject(noLine()), LINE_DEADLINE_MS);
        const message: ToMain = { type: 'request', id, method, input };
        const settle = (value: unknown): void => resolve(value as Outputs[typeof method]);
        const entry: PendingRequest = { message, isSent: false, timer, resolve: settle, reject };
        waiting.set(id, entry);
        post(id, entry);
      });
    },
    answer: (id, value) => take(id)?.resolve(value),
    fail(id, failure) {
      const found = take(id);
      found?.reject(failureFrom(failure));
      return found !== undefined;
    },
    flush() {
      for (const [id, entry] of waiting) if (!entry.isSent) post(id, entry);
    },
    drop(andUnsent) {
      for (const [id, entry] of waiting)
        if (entry.isSent) take(id)?.reject(lost());
        else if (andUnsent) take(id)?.reject(noLine());
    },
  };
}
