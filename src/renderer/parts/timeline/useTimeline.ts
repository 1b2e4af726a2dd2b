// What a reader has chosen about one timeline: filter, what is open, what is found, where they are.
import { useCallback, useMemo, useState } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { filterRows, type TimelineFilter } from './filter.ts';
import { findRows, type FoundRows } from './haystack.ts';
import { createRows } from '../../../shared/timeline/rows.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { useAway } from './useAway.ts';

export type TimelineState = {
  record: EpisodeRecord;
  /** Every line, for the map and for copying. */
  all: readonly TimelineRow[];
  /** The lines the filter leaves. */
  rows: readonly TimelineRow[];
  filter: TimelineFilter;
  setFilter: (filter: TimelineFilter) => void;
  open: ReadonlySet<string>;
  toggle: (key: string) => void;
  areAllOpen: boolean;
  toggleAll: () => void;
  query: string;
  setQuery: (query: string) => void;
  found: FoundRows & { isReading: boolean };
  /** The line the keyboard is on and the inspector shows. */
  activeKey: string | null;
  activate: (key: string | null) => void;
};

export function useTimeline(record: EpisodeRecord): TimelineState {
  const [makeRows] = useState(createRows);
  const [filter, setFilter] = useState<TimelineFilter>('everything');
  const [opened, setOpened] = useState<{ isAll: boolean; except: ReadonlySet<string> }>({
    isAll: false,
    except: new Set(),
  });
  const [query, setQuery] = useState('');
  const [activeKey, activate] = useState<string | null>(null);
  const all = useMemo(() => makeRows(record), [makeRows, record]);
  const rows = useMemo(() => filterRows(all, filter), [all, filter]);
  const { away, isReading } = useAway(record.id, query);
  const found = useMemo(
    () => ({ ...findRows(rows, record, query, away), isReading }),
    [rows, record, query, away, isReading],
  );
  const open = useMemo(
    () =>
      opened.isAll
        ? new Set(all.map((row) => row.key).filter((key) => !opened.except.has(key)))
        : opened.except,
    [opened, all],
  );
  const toggle = useCallback((key: string) => {
    setOpened(({ isAll, except }) => {
      const next = new Set(except);
      if (!next.delete(key)) next.add(key);
      return { isAll, except: next };
    });
  }, []);
  const toggleAll = useCallback(
    () => setOpened(({ isAll }) => ({ isAll: !isAll, except: new Set<string>() })),
    [],
  );
  return {
    record,
    all,
    rows,
    filter,
    setFilter,
    open,
    toggle,
    areAllOpen: opened.isAll,
    toggleAll,
    query,
    setQuery,
    found,
    activeKey,
    activate,
  };
}
