// The cards that wait, in the order this person chose, steady under their eyes.
import { useMemo, useState } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useConsole, useDesk, useSession } from '../../state/hooks.ts';
import { keepEqual } from '../../state/receive.ts';
import { useClockValue } from '../../ui/clock.ts';
import { waitingOf, type DeskEntry } from './deskQueue.ts';

/** Scores move with time; the list is put in order again this often, and whenever something comes or goes. */
const REORDER_MS = 30_000;

/** `decided` stand aside at once, before main says that they are gone. */
export function useDeskQueue(decided: ReadonlySet<string>): readonly DeskEntry[] {
  const { seat } = useSession();
  const { items, holds } = useDesk();
  const { order } = useConsole(({ ui }) => ui.prefs);
  const sending = useConsole(({ ui }) => ui.sending);
  const [keepCards] = useState(createCardKeeper);
  const moment = useClockValue((now) => Math.floor(now / REORDER_MS));
  return useMemo(
    () =>
      keepCards(
        waitingOf(
          { items, holds },
          { seat, order, now: (moment + 1) * REORDER_MS },
          new Set([...decided, ...sending.flatMap(({ keys }) => keys)]),
        ),
      ),
    [keepCards, items, holds, seat, order, moment, sending, decided],
  );
}

/** Cards as they were given before, where they are the same. */
function createCardKeeper() {
  let last: readonly DeskEntry[] = [];
  return (list: readonly DeskEntry[]): readonly DeskEntry[] =>
    (last = keepEqual(
      last,
      list,
      ({ key }) => key,
      (old, one) => (old !== undefined && isSameCard(old, one) ? old : one),
    ));
}

function isSameCard(a: DeskEntry, b: DeskEntry): boolean {
  if (a.hold !== b.hold) return false;
  const [before, now] = [groupOf(a), groupOf(b)];
  return before.length === now.length && before.every((item, at) => item === now[at]);
}

const groupOf = (one: DeskEntry): readonly DeskItem[] => (one.type === 'hold' ? [] : one.group);
