// Work that others may wait for too, for one who may give up waiting.
import type { Failure } from '../../shared/failure.ts';

/** The outcome of `work`, or `givenUp` once `signal` is aborted; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, givenUp: () => Failure): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(givenUp());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
