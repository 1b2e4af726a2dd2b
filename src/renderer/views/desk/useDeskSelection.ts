// Owns: which question is in front of the person. It changes only by their own act; a question that closes stays.
import { useCallback, useEffect, useState } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useSelected } from '../../state/hooks.ts';

/** The next question after one: the one behind it, else the oldest; null when there is no other. */
export function nextAfter(items: readonly DeskItem[], consultation: string): string | null {
  const others = items.filter((item) => item.consultation !== consultation);
  const index = items.findIndex((item) => item.consultation === consultation);
  const after = index === -1 ? undefined : items.slice(index + 1)[0];
  return (after ?? others[0])?.consultation ?? null;
}

export function useDeskSelection(items: readonly DeskItem[]): {
  item: DeskItem | null;
  choose: (consultation: string) => void;
  /** Leaves a question for the next one. */
  leave: (consultation: string) => void;
} {
  const [selected, setSelected] = useSelected('desk');
  const waiting = items.find((item) => item.consultation === selected) ?? null;
  const [last, setLast] = useState(waiting);
  if (waiting !== null && waiting !== last) setLast(waiting);
  const held = last !== null && last.consultation === selected ? last : null;
  const shown = waiting ?? held;
  const oldest = items[0]?.consultation ?? null;
  useEffect(() => {
    if (shown === null && oldest !== null) setSelected(oldest);
  }, [shown, oldest, setSelected]);
  const leave = useCallback(
    (consultation: string) => {
      setLast(null);
      setSelected(nextAfter(items, consultation));
    },
    [items, setSelected],
  );
  return { item: shown, choose: setSelected, leave };
}
