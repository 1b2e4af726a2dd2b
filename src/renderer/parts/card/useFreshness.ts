import { useEffect, useState } from 'react';

const FRESH_MS = 400;

/** True in the first moment of a new card or draft: a press meant for the last one must not decide this one. */
export function useFreshness(key: string): boolean {
  const [shown, setShown] = useState({ key, isFresh: true });
  if (shown.key !== key) setShown({ key, isFresh: true });
  useEffect(() => {
    const timer = setTimeout(() => setShown({ key, isFresh: false }), FRESH_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return shown.isFresh;
}

/** An act that decides, held back while its card is fresh. */
export const unlessFresh = (isFresh: boolean, run: () => void) => (): void => (isFresh ? undefined : run());
