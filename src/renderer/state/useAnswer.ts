// Owns: showing what main answers to a question: loading, the answer, the failure, asking again.
import { useCallback, useEffect, useState } from 'react';
import { failureShape, type FailureShape } from '../../shared/failure.ts';

export type Answer<T> = {
  /** The newest answer; one to an earlier question stays until the next is there. */
  value: T | null;
  isLoading: boolean;
  failure: FailureShape | null;
  again: () => void;
  /** Puts a newer answer in place that came another way. */
  replace: (value: T) => void;
};

type Held<T> = { key: string | null; value: T | null; isBusy: boolean; failure: FailureShape | null };

/**
 * Asks when `key` changes, `delayMs` after; a null key asks nothing. `key` must name all that `ask` depends on.
 */
export function useAnswer<T>(key: string | null, ask: () => Promise<T>, delayMs = 0): Answer<T> {
  const [held, setHeld] = useState<Held<T>>({ key: null, value: null, isBusy: false, failure: null });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (key === null) return undefined;
    let isCurrent = true;
    const settle = (next: Pick<Held<T>, 'value' | 'failure'>): void => {
      if (isCurrent) setHeld({ key, isBusy: false, ...next });
    };
    const timer = setTimeout(() => {
      setHeld((old) => ({ ...old, isBusy: true }));
      ask().then(
        (value) => settle({ value, failure: null }),
        (thrown: unknown) => settle({ value: null, failure: failureShape(thrown) }),
      );
    }, delayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // `ask` is new at every drawing; `key` says when it asks something new.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, delayMs, tries]);
  const isStale = held.key !== key;
  return {
    value: key === null ? null : held.value,
    isLoading: key !== null && (held.isBusy || isStale),
    failure: isStale ? null : held.failure,
    again: useCallback(() => setTries((count) => count + 1), []),
    replace: useCallback((value: T) => setHeld({ key, value, isBusy: false, failure: null }), [key]),
  };
}
