// Keeping a decision back for the moment in which it can be taken back, unless the question is timed.
import { useSession } from '../../state/hooks.ts';
import { markHeld, unmarkHeld } from '../../state/notSent.ts';
import { sendLater } from '../../state/sending.ts';
import type { AdvicePorts, Done } from '../advice/useAdvice.ts';

type Holding = {
  /** The consultations it decides; they are not in the list meanwhile. */
  keys: readonly string[];
  deadline_at: number | null;
  onDone: (done: Done) => void;
  /** Brings the card back in front. */
  onTakenBack: () => void;
};

export function useHolding(
  { answer, decline }: Pick<AdvicePorts, 'answer' | 'decline'>,
  { keys, deadline_at, onDone, onTakenBack }: Holding,
): AdvicePorts {
  const { store, own } = useSession();
  return {
    answer,
    decline,
    hold: ({ title, label, run }) => {
      const delayMs = store.getState().ui.prefs.take_back_ms;
      // Where the time is measured, nothing may be added to it.
      if (delayMs === 0 || deadline_at !== null) return false;
      // A page that goes meanwhile sends nothing: the next one says so beside the words.
      for (const key of keys) markHeld(own, key, Date.now());
      const unmark = (): void => {
        for (const key of keys) unmarkHeld(own, key);
      };
      sendLater(store, {
        keys,
        title,
        label,
        delayMs,
        run: () => {
          unmark();
          return run().then(onDone);
        },
        onTakenBack: () => {
          unmark();
          onTakenBack();
        },
      });
      return true;
    },
  };
}
