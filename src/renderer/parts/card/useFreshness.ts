import { useEffect, useState } from 'react';
import { useSession } from '../../state/hooks.ts';
import { changeUi } from '../../state/store.ts';

const FRESH_MS = 400;
/** The wait if somebody asked for the card, by its own key or by opening the page with it. */
const ASKED_FOR_MS = 120;
/** A card that comes this soon after the key is the one that was asked for. */
const SOON_MS = 300;

/** True in the first moment of a new card or draft: a press meant for the last one must not decide this one. */
export function useFreshness(key: string): boolean {
  const { store } = useSession();
  const [shown, setShown] = useState({ key, isFresh: true });
  if (shown.key !== key) setShown({ key, isFresh: true });
  useEffect(() => {
    const { nextAskedAt, isFirstCardNext } = store.getState().ui;
    const isAskedFor = isFirstCardNext || Date.now() - nextAskedAt < SOON_MS;
    if (isFirstCardNext) changeUi(store, () => ({ isFirstCardNext: false }));
    const timer = setTimeout(() => setShown({ key, isFresh: false }), isAskedFor ? ASKED_FOR_MS : FRESH_MS);
    return () => clearTimeout(timer);
  }, [key, store]);
  return shown.isFresh;
}

/** An act that decides, held back while its card is fresh. */
export const unlessFresh = (isFresh: boolean, run: () => void) => (): void => (isFresh ? undefined : run());
