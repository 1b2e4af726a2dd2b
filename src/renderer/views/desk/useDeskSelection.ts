// Owns: which question is in front of the person. It changes only by their own act; a question that closes stays.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useSelected } from '../../state/hooks.ts';

/** The next question after one: the one behind it, else the oldest; null when there is no other. */
export function nextAfter(items: readonly DeskItem[], consultation: string): string | null {
  const others = items.filter((item) => item.consultation !== consultation);
  const index = items.findIndex((item) => item.consultation === consultation);
  const after = index === -1 ? undefined : items.slice(index + 1)[0];
  return (after ?? others[0])?.consultation ?? null;
}

export function useDeskSelection(all: readonly DeskItem[]): {
  items: readonly DeskItem[];
  item: DeskItem | null;
  choose: (consultation: string) => void;
  /** Leaves a question for the next one; one that was decided is gone at once, before main says so. */
  leave: (consultation: string, isDecided: boolean) => void;
} {
  const [selected, setSelected] = useSelected('desk');
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const items = useMemo(() => all.filter((item) => !decided.has(item.consultation)), [all, decided]);
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
    (consultation: string, isDecided: boolean) => {
      setLast(null);
      setSelected(nextAfter(items, consultation));
      if (isDecided) setDecided((before) => new Set(before).add(consultation));
    },
    [items, setSelected],
  );
  return { items, item: shown, choose: setSelected, leave };
}
