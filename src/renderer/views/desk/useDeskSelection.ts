// Which card is in front of the person. It changes by their own act, or where a card that closed gives way.
import { useEffect, useMemo, useState } from 'react';
import { firstFor, nextAfter, withInFront, type DeskEntry } from '../../parts/desk/deskQueue.ts';
import { useClockValue } from '../../ui/clock.ts';
import { useSteady } from '../../ui/useSteady.ts';
import { useSelected, useSession } from '../../state/hooks.ts';

export function useDeskSelection(list: readonly DeskEntry[]): {
  card: DeskEntry | null;
  choose: (id: string | null) => void;
  /** Leaves a card for the next one; one that was left for good is not taken up again by itself. */
  leave: (id: string, isForGood: boolean) => void;
  /** The one after this, to be read ahead. */
  next: DeskEntry | null;
} {
  const { seat } = useSession();
  const [selected, setSelected] = useSelected('desk');
  // The same object while nothing changes: drawing notes the last one that waited.
  const waiting = useMemo(() => find(list, selected), [list, selected]);
  const [last, setLast] = useState(waiting);
  if (waiting !== null && waiting !== last) setLast(waiting);
  const held = last !== null && selected !== null ? withInFront(last, selected) : null;
  const card = waiting ?? held;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const untaken = useMemo(() => list.filter(({ key }) => !left.has(key)), [list, left]);
  // Claims run out with time: the desk is drawn again when that changes the card, not each second.
  const first = useClockValue((now) => firstFor(untaken, seat, now));
  useEffect(() => {
    if (card === null && first !== null) setSelected(first);
  }, [card, first, setSelected]);
  const leave = useSteady((id: string, isForGood: boolean): void => {
    setLast(null);
    if (isForGood) setLeft((before) => new Set(before).add(id));
    setSelected(nextAfter(list, id, seat, Date.now()));
  });
  const nextId = useClockValue((now) => (card === null ? null : nextAfter(list, card.key, seat, now)));
  return { card, choose: setSelected, leave, next: find(list, nextId) };
}

function find(list: readonly DeskEntry[], id: string | null): DeskEntry | null {
  if (id === null) return null;
  for (const one of list) {
    const found = withInFront(one, id);
    if (found !== null) return found;
  }
  return null;
}
