// Which held calls are chosen for one approval.
import { useMemo, useState } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';

export function useBatch(list: readonly DeskEntry[]): {
  chosen: ReadonlySet<string>;
  holds: readonly HoldItem[];
  toggle: (key: string) => void;
  isOpen: boolean;
  setIsOpen: (isOpen: boolean) => void;
  close: (isDone: boolean) => void;
} {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isOpen, setIsOpen] = useState(false);
  // What is gone from the desk is gone from the choice.
  const holds = useMemo(
    () =>
      list.flatMap((one) =>
        one.type === 'hold' && one.hold.call !== null && ticked.has(one.key) ? [one.hold] : [],
      ),
    [list, ticked],
  );
  const chosen = useMemo(() => new Set(holds.map(({ key }) => key)), [holds]);
  const toggle = (key: string): void => {
    const isCall = list.some((one) => one.key === key && one.type === 'hold' && one.hold.call !== null);
    if (!isCall) return;
    const next = new Set(ticked);
    if (!next.delete(key)) next.add(key);
    setTicked(next);
  };
  const close = (isDone: boolean): void => {
    setIsOpen(false);
    if (isDone) setTicked(new Set());
  };
  return { chosen, holds, toggle, isOpen: isOpen && holds.length > 0, setIsOpen, close };
}
