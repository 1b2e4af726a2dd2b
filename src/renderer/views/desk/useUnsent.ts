// Words that were written and not sent, beside the card in front.
import { useEffect, useMemo } from 'react';
import { loadEditor } from '../../parts/advice/AnswerField.tsx';
import { unsentOf, type Unsent } from '../../parts/advice/unsent.ts';
import { forgetOldTimes } from '../../parts/advice/useHumanTime.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';
import { useConsole, useDesk, useSession } from '../../state/hooks.ts';
import { setWords } from '../../state/drafts.ts';

/** Words whose question is gone; those of the card in front stand there. */
export function useUnsent(card: DeskEntry | null, late: string | null): Unsent[] {
  const { kept } = useSession();
  const { items } = useDesk();
  const words = useConsole(({ ui }) => ui.words);
  const front = card?.type === 'question' ? card.item.consultation : null;
  useEffect(() => {
    void loadEditor();
    forgetOldTimes(kept, Date.now());
  }, [kept]);
  return useMemo(
    () =>
      unsentOf(words, new Set(items.map(({ consultation }) => consultation))).filter(
        ({ id }) => id !== front && id !== late,
      ),
    [words, items, front, late],
  );
}

/** Moving unsent words to the question in front, as long as nothing is written there yet. */
export function useForFront(card: DeskEntry | null): ((unsent: Unsent) => void) | null {
  const { store } = useSession();
  const front = card?.type === 'question' ? card.item.consultation : null;
  const hasWords = useConsole(({ ui }) => front !== null && Object.hasOwn(ui.words, front));
  if (front === null || hasWords) return null;
  return ({ id, text }) => {
    setWords(store, front, text);
    setWords(store, id, null);
  };
}
