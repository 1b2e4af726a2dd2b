// The held calls chosen for one approval.
import { useCallback, useMemo, useState } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';

export type Batch = {
  chosen: ReadonlySet<string>;
  holds: readonly HoldItem[];
  toggle: (key: string) => void;
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** What the last approval came to; null before one. */
  said: string | null;
  setSaid: (said: string) => void;
};

/** The same object while nothing of it changes. */
export function useBatch(list: readonly DeskEntry[]): Batch {
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
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  const isShown = isOpen && holds.length > 0;
  return useMemo(
    () => ({ said, setSaid, chosen, holds, toggle, isOpen: isShown, open, close }),
    [said, chosen, holds, toggle, isShown, open, close],
  );
}
