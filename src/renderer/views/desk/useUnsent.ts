// Text that was written and not sent, beside the card in front.
import { useCallback, useEffect, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { LaterAdviceEditor } from '../../parts/advice/laterAdviceEditor.ts';
import { unsentOf, type Unsent } from '../../parts/advice/unsent.ts';
import { forgetOldTimes } from '../../parts/advice/useHumanTime.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';
import { useConsole, useDesk, useSession } from '../../state/hooks.ts';
import { setUnsentText } from '../../state/drafts.ts';
import { whenIdle } from '../../ui/idle.ts';

/** Unsent texts whose question is gone; those of the card in front stand there. */
export function useUnsent(card: DeskEntry | null, late: string | null): Unsent[] {
  const { kept } = useSession();
  const { items } = useDesk();
  const front = card?.type === 'question' ? card.item.consultation : null;
  // A key pressed in the card in front does not draw the list again.
  const elsewhere = useConsole(
    useShallow(({ ui }) =>
      Object.fromEntries(Object.entries(ui.unsentTexts).filter(([id]) => id !== front && id !== late)),
    ),
  );
  useEffect(() => {
    forgetOldTimes(kept, Date.now());
    return whenIdle(() => void LaterAdviceEditor.preload());
  }, [kept]);
  return useMemo(
    () => unsentOf(elsewhere, new Set(items.map(({ consultation }) => consultation))),
    [elsewhere, items],
  );
}

/** Moves an unsent text to the question in front, as long as nothing is written there yet. */
export function useForFront(card: DeskEntry | null): ((unsent: Unsent) => void) | null {
  const { store } = useSession();
  const front = card?.type === 'question' ? card.item.consultation : null;
  const hasUnsentText = useConsole(({ ui }) => front !== null && Object.hasOwn(ui.unsentTexts, front));
  const use = useCallback(
    ({ id, text }: Unsent): void => {
      if (front !== null) setUnsentText(store, front, text);
      setUnsentText(store, id, null);
    },
    [store, front],
  );
  return front === null || hasUnsentText ? null : use;
}
