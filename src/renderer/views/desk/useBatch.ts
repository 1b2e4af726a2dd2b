// Which held calls are chosen for one approval.
import { useCallback, useMemo, useState } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';

export function useBatch(list: readonly DeskEntry[]): {
  chosen: ReadonlySet<string>;
  holds: readonly HoldItem[];
  toggle: (key: string) => void;
  isOpen: boolean;
  setIsOpen: (isOpen: boolean) => void;
  /** `approved` says what came of it; null where nothing was approved. */
  close: (approved: string | null) => void;
  said: string | null;
} {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isOpen, setIsOpen] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  // What is gone from the desk is gone from the choice, and no question is ever in it.
  const holds = useMemo(
    () =>
      list.flatMap((one) =>
        one.type === 'hold' && one.hold.call !== null && ticked.has(one.key) ? [one.hold] : [],
      ),
    [list, ticked],
  );
  const chosen = useMemo(() => new Set(holds.map(({ key }) => key)), [holds]);
  const toggle = useCallback((key: string) => {
    setTicked((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
    setSaid(null);
  }, []);
  const close = (approved: string | null): void => {
    setIsOpen(false);
    setSaid(approved);
    if (approved !== null) setTicked(new Set());
  };
  return { said, chosen, holds, toggle, isOpen: isOpen && holds.length > 0, setIsOpen, close };
}
