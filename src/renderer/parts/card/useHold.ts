// Keeping a decision back for the moment in which it can be taken back, unless it is timed.
import { useSession } from '../../state/hooks.ts';
import { markHeld, unmarkHeld } from '../../state/notSent.ts';
import { sendLater } from '../../state/sending.ts';

export type HeldBack = { title: string; label: string; run: () => Promise<unknown> };
/** False where the decision is not kept back: it is to be sent at once. */
export type Hold = (decision: HeldBack) => boolean;

type HoldInput = {
  /** What it decides: consultations, a held call, a stop. They are not in the list meanwhile. */
  keys: readonly string[];
  deadline_at: number | null;
  /** Brings the card back in front. */
  onTakenBack: () => void;
};

export function useHold({ keys, deadline_at, onTakenBack }: HoldInput): Hold {
  const { store, own } = useSession();
  return ({ title, label, run }) => {
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
        return run().then(() => undefined);
      },
      onTakenBack: () => {
        unmark();
        onTakenBack();
      },
    });
    return true;
  };
}
