// The items of a queue that are in view, read again when something of it changes.
import { useCallback, useState } from 'react';
import type { ItemRow } from '../../../shared/contract/annotate.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';

export type Show = Inputs['queue.items']['show'];
export type Items = {
  /** Null until the first answer. */
  total: number | null;
  rowAt: (index: number) => ItemRow | undefined;
  failure: FailureShape | null;
  again: () => void;
  /** Says which places are in view. */
  onRange: (first: number, last: number) => void;
};

const ITEMS_PER_PAGE = 100;
/** As many as one answer holds. */
const MOST = 500;

export function useItems(at: { project: string; queue: string }, show: Show): Items {
  const { call } = useSession();
  const [view, setView] = useState({ from: 0, to: 0 });
  const offset = view.from * ITEMS_PER_PAGE;
  const limit = Math.min(MOST, (view.to - view.from + 1) * ITEMS_PER_PAGE);
  const { value, failure, again } = useAnswer([at, show, offset, limit], async () => ({
    offset,
    show,
    ...(await call('queue.items', { ...at, show, offset, limit })),
  }));
  // What was found under another choice has other places.
  const known = value?.show === show ? value : null;
  return {
    total: known?.total ?? null,
    rowAt: (index) => known?.items[index - known.offset],
    failure,
    again,
    onRange: useCallback((first, last) => {
      const [from, to] = [
        Math.floor(first / ITEMS_PER_PAGE),
        Math.floor(Math.max(first, last) / ITEMS_PER_PAGE),
      ];
      setView((old) => (old.from === from && old.to === to ? old : { from, to }));
    }, []),
  };
}

/** The ids of all items shown, page by page, up to `most`. */
export async function readItemIds(
  call: ReturnType<typeof useSession>['call'],
  at: { project: string; queue: string },
  show: Show,
  most: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < Math.min(total, most);) {
    const page = await call('queue.items', { ...at, show, offset: ids.length, limit: MOST });
    if (page.items.length === 0) break;
    ids.push(...page.items.map(({ item }) => item));
    total = page.total;
  }
  return ids.slice(0, most);
}
