// The cards that wait, in the order this person chose, steady under their eyes.
import { useMemo } from 'react';
import { useConsole, useDesk, useNow, useSession } from '../../state/hooks.ts';
import { waitingOf, type DeskEntry } from './deskQueue.ts';

/** Scores move with time; the list is put in order again this often, and whenever something comes or goes. */
const REORDER_MS = 30_000;

/** `decided` stand aside at once, before main says that they are gone. */
export function useDeskQueue(decided: ReadonlySet<string>): DeskEntry[] {
  const { seat } = useSession();
  const { items, holds } = useDesk();
  const { order } = useConsole(({ ui }) => ui.prefs);
  const sending = useConsole(({ ui }) => ui.sending);
  const moment = Math.floor(useNow() / REORDER_MS);
  return useMemo(
    () =>
      waitingOf(
        { items, holds },
        { seat, order, now: (moment + 1) * REORDER_MS },
        new Set([...decided, ...sending.flatMap(({ keys }) => keys)]),
      ),
    [items, holds, seat, order, moment, sending, decided],
  );
}
