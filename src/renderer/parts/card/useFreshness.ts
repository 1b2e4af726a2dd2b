import { useEffect, useState } from 'react';
import { useSession } from '../../state/hooks.ts';

const FRESH_MS = 400;
/** Who asked for the next card by its own key does not mean the last one. */
const ASKED_FOR_MS = 120;
/** A card that comes this soon after the key is the one that was asked for. */
const SOON_MS = 300;

/** True in the first moment of a new card or draft: a press meant for the last one must not decide this one. */
export function useFreshness(key: string): boolean {
  const { store } = useSession();
  const [shown, setShown] = useState({ key, isFresh: true });
  if (shown.key !== key) setShown({ key, isFresh: true });
  useEffect(() => {
    const isAskedFor = Date.now() - store.getState().ui.nextAskedAt < SOON_MS;
    const timer = setTimeout(() => setShown({ key, isFresh: false }), isAskedFor ? ASKED_FOR_MS : FRESH_MS);
    return () => clearTimeout(timer);
  }, [key, store]);
  return shown.isFresh;
}

/** An act that decides, held back while its card is fresh. */
export const unlessFresh = (isFresh: boolean, run: () => void) => (): void => (isFresh ? undefined : run());
