// Owns: keeping a decision back for the moment in which it can be taken back, unless there is no time for that.
import { useSession } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { setSelected } from '../../state/choices.ts';
import { sendLater } from '../../state/sending.ts';
import type { AdvicePorts, Done } from '../advice/useAdvice.ts';

export type Holding = {
  /** The consultations it decides; they stand aside meanwhile. */
  keys: readonly string[];
  deadlineAt: number | null;
  onLeave: () => void;
  onDone: (done: Done) => void;
};

/** A deadline this close after the moment would be missed by waiting. */
const CLOSE_MS = 2_000;

export function useHolding(
  { answer, decline }: Pick<AdvicePorts, 'answer' | 'decline'>,
  { keys, deadlineAt, onLeave, onDone }: Holding,
): AdvicePorts {
  const { store } = useSession();
  return {
    answer,
    decline,
    hold: ({ title, run }) => {
      const delayMs = store.getState().ui.prefs.take_back_ms;
      const isTooClose = deadlineAt !== null && deadlineAt - Date.now() < delayMs + CLOSE_MS;
      if (delayMs === 0 || isTooClose) return false;
      sendLater(store, {
        keys,
        title,
        delayMs,
        run: () => run().then(onDone),
        onTakenBack: () => {
          setSelected(store, 'desk', keys[0] ?? null);
          navigate({ view: 'desk' });
        },
      });
      onLeave();
      return true;
    },
  };
}
