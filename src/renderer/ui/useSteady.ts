// A function that stays the same while what it does is new, so that what is given it need not be drawn again.
import { useCallback, useLayoutEffect, useRef } from 'react';

/** Calls the `run` of the newest drawing; for events and effects, not while drawing. */
export function useSteady<A extends readonly unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const newest = useRef(run);
  useLayoutEffect(() => {
    newest.current = run;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}
