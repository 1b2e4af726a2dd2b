// Owns: which episodes of the list are chosen, by their ids: one by one, a stretch, or all that match.
import { useState } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import type { Transport } from '../../client/transport.ts';
import type { Filter } from '../../parts/episode/rowWords.ts';

export type Chosen = {
  ids: ReadonlySet<string>;
  toggle: (index: number) => void;
  /** From where choosing began to here. */
  extend: (index: number) => void;
  setAll: (ids: readonly string[]) => void;
  clear: () => void;
};

type State = { ids: ReadonlySet<string>; anchor: number };
const NONE: State = { ids: new Set(), anchor: -1 };

export function useChosen(rowAt: (index: number) => EpisodeRow | undefined): Chosen {
  const [{ ids, anchor }, setState] = useState(NONE);
  return {
    ids,
    toggle: (index) => {
      const id = rowAt(index)?.id;
      if (id !== undefined) setState({ ids: toggled(ids, id), anchor: index });
    },
    extend: (index) => {
      const from = anchor === -1 ? index : anchor;
      setState({ ids: new Set([...ids, ...stretch(rowAt, from, index)]), anchor: from });
    },
    setAll: (all) => setState({ ids: new Set(all), anchor: -1 }),
    clear: () => setState(NONE),
  };
}

export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The ids between two places, both included; rows that are not read yet are left out. */
export function stretch(
  rowAt: (index: number) => EpisodeRow | undefined,
  from: number,
  to: number,
): string[] {
  const first = Math.min(from, to);
  return Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, index) => rowAt(first + index)?.id ?? null,
  ).filter((id) => id !== null);
}

/** As many as one act may be about. */
export const CHOSEN_MAX = 10_000;
const PAGE = 500;

/** The ids of all that match, up to the most that can be chosen. */
export async function readAllIds(call: Transport['call'], filter: Filter): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < Math.min(total, CHOSEN_MAX);) {
    const page = await call('episodes.page', { ...filter, offset: ids.length, limit: PAGE });
    if (page.rows.length === 0) break;
    ids.push(...page.rows.map(({ id }) => id));
    total = page.total;
  }
  return ids;
}
