// The selection in a list, by ids: one by one, a stretch, or all.
import { useState } from 'react';

export type Selection = {
  ids: ReadonlySet<string>;
  toggle: (index: number) => void;
  /** From where choosing began to here. */
  extend: (index: number) => void;
  setAll: (ids: readonly string[]) => void;
  clear: () => void;
};

/** The id at a place; undefined while it is not read yet. */
type IdAt = (index: number) => string | undefined;

type SelectionState = { ids: ReadonlySet<string>; anchor: number };
const EMPTY_SELECTION: SelectionState = { ids: new Set(), anchor: -1 };

export function useSelection(idAt: IdAt): Selection {
  const [{ ids, anchor }, setState] = useState(EMPTY_SELECTION);
  return {
    ids,
    toggle: (index) => {
      const id = idAt(index);
      if (id !== undefined) setState({ ids: toggled(ids, id), anchor: index });
    },
    extend: (index) => {
      const from = anchor === -1 ? index : anchor;
      setState({ ids: new Set([...ids, ...idsBetween(idAt, from, index)]), anchor: from });
    },
    setAll: (all) => setState({ ids: new Set(all), anchor: -1 }),
    clear: () => setState(EMPTY_SELECTION),
  };
}

export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The ids between two places, both included; those that are not read yet are left out. */
export function idsBetween(idAt: IdAt, from: number, to: number): string[] {
  const first = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => idAt(first + index) ?? null).filter(
    (id) => id !== null,
  );
}
