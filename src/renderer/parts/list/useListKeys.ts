// Moving, opening and choosing in a virtual list by keyboard and mouse: the same keys for every list of rows.
import type { RefObject } from 'react';
import { useKeys } from '../../state/hooks.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { PressModifiers, VirtualListHandle } from '../../ui/VirtualList.tsx';
import type { Selection } from './useSelection.ts';

type ListKeysOptions = {
  list: RefObject<VirtualListHandle | null>;
  /** The row one is on; -1 for none. */
  active: number;
  total: number;
  /** Goes to a row, or the nearest there is; returns which. */
  go: (index: number) => number;
  open: (index: number) => void;
  chosen: Selection;
  chooseAll: () => void;
  /** What stands beside the list has the keys. */
  isQuiet?: boolean;
};

/** Returns what a press on a row does. */
export function useVirtualListKeys({
  list,
  active,
  total,
  go,
  open,
  chosen,
  chooseAll,
  isQuiet = false,
}: ListKeysOptions): (index: number, pressed: PressModifiers) => void {
  const extendTo = (index: number): void => {
    if (chosen.ids.size === 0 && active >= 0) chosen.toggle(active);
    chosen.extend(go(index));
  };
  const bindings: Bindings = {
    down: () => go(active + 1),
    up: () => go(active - 1),
    first: () => go(0),
    last: () => {
      list.current?.scrollTo(total - 1, 'end');
      go(total - 1);
    },
    open: () => open(active),
    select: () => chosen.toggle(active),
    'list.select_down': () => extendTo(active + 1),
    'list.select_up': () => extendTo(active - 1),
    'list.select_all': chooseAll,
  };
  useKeys(isQuiet ? {} : bindings);
  return (index, { isShift, isMod }) => {
    go(index);
    if (isShift) chosen.extend(index);
    else if (isMod) chosen.toggle(index);
  };
}
