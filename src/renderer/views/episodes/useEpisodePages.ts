// The pages of the list, with the rows that changed since they were read, and how many are new.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { RUNNING_FIRST } from '../../../shared/contract/library.ts';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { Transport } from '../../client/transport.ts';
import { isNewestFirst, matchesFilter, type EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { useConsole, useSession } from '../../state/hooks.ts';

export type EpisodePages = Pages & {
  /** The row at a place; undefined while its page is on its way. */
  rowAt: (index: number) => EpisodeRow | undefined;
  /** Episodes that began since and belong at the top; they are not put under a reading person's cursor. */
  newCount: number;
  show: (first: number, last: number) => void;
  refresh: () => void;
};

export function useEpisodePages(filter: EpisodeListFilter): EpisodePages {
  const { call } = useSession();
  const [pager] = useState(() => createPager(call, filter));
  const pages = useSyncExternalStore(pager.subscribe, pager.state);
  const live = useConsole(({ record }) => record.rows);
  const revision = useConsole(({ record }) => record.rowsRevision);

  const shown = useRef(filter);
  useEffect(() => {
    if (shown.current === filter) return;
    shown.current = filter;
    pager.setFilter(filter);
  }, [pager, filter]);
  const firstRevision = useRef(revision);
  useEffect(() => {
    if (firstRevision.current !== revision) pager.refresh();
    firstRevision.current = revision;
  }, [pager, revision]);

  const newCount = useMemo(() => countNew(pages, live, filter), [pages, live, filter]);
  const rowAt = useCallback(
    (index: number) => {
      const row = pages.rows.get(index);
      const newer = row === undefined ? undefined : live.get(row.id);
      return newer !== undefined && row !== undefined && newer.seq > row.seq ? newer : row;
    },
    [pages, live],
  );
  return { ...pages, rowAt, newCount, show: pager.show, refresh: pager.refresh };
}

/**
 * Rows that came after the newest one listed and that the filter shows. What the log held when the list was read is in
 * it, if on a page nobody has looked at.
 */
export function countNew(
  pages: Pages,
  live: ReadonlyMap<string, EpisodeRow>,
  filter: EpisodeListFilter,
): number {
  if (pages.total === null || !isNewestFirst(filter)) return 0;
  const newest = pages.rows.get(0)?.started_at ?? (pages.total === 0 ? 0 : Number.POSITIVE_INFINITY);
  const listed = new Set([...pages.rows.values()].map((row) => row.id));
  let count = 0;
  for (const row of live.values())
    if (row.seq > pages.seq && row.started_at >= newest && !listed.has(row.id) && matchesFilter(row, filter))
      count += 1;
  return count;
}

export type Pages = {
  /** Null until the first answer. */
  total: number | null;
  /** Left out of those without advice, since nobody knows whether they had some. */
  helpUnknown: number;
  /** Rows by their place in the whole list. */
  rows: ReadonlyMap<number, EpisodeRow>;
  /** What the log held when they were read. */
  seq: number;
  isLoading: boolean;
  failure: FailureShape | null;
};
type Pager = {
  state: () => Pages;
  subscribe: (listener: () => void) => () => void;
  setFilter: (filter: EpisodeListFilter) => void;
  /** Says which places are in view. */
  show: (first: number, last: number) => void;
  /** Reads again what is in view. */
  refresh: () => void;
};

const PAGE = 100;
const UNREAD: Pages = {
  total: null,
  helpUnknown: 0,
  rows: new Map(),
  seq: 0,
  isLoading: true,
  failure: null,
};

/** The pages that hold the places in view. */
function pagesOf({ first, last }: { first: number; last: number }, total: number): number[] {
  const from = Math.floor(first / PAGE);
  const to = Math.floor(Math.max(0, Math.min(last, total - 1)) / PAGE);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

export function createPager(call: Transport['call'], firstFilter: EpisodeListFilter): Pager {
  const pages = createStore<Pages>(() => UNREAD);
  let filter = firstFilter;
  let view = { first: 0, last: 0 };
  /** Counts the readings; an answer to an earlier one is out of date. */
  let reading = 0;
  let asked = new Set<number>();
  let isFresh = true;

  const read = async (page: number): Promise<void> => {
    const mine = reading;
    asked.add(page);
    try {
      const found = await call('episodes.page', {
        ...filter,
        order: filter.order ?? RUNNING_FIRST,
        offset: page * PAGE,
        limit: PAGE,
      });
      if (mine === reading) receive(page, found);
    } catch (thrown) {
      if (mine === reading) fail(page, thrown);
    }
  };
  const fail = (page: number, thrown: unknown): void => {
    asked.delete(page);
    pages.setState({ isLoading: false, failure: failureShape(thrown) });
  };
  const receive = (page: number, found: Outputs['episodes.page']): void => {
    // Rows came or went between two pages: places have moved, so all in view is read again.
    if (!isFresh && found.total !== pages.getState().total) return restart();
    const rows = new Map(isFresh ? [] : pages.getState().rows);
    found.rows.forEach((row, index) => rows.set(page * PAGE + index, row));
    isFresh = false;
    const { total, seq, help_unknown: helpUnknown = 0 } = found;
    pages.setState({ total, helpUnknown, rows, seq, isLoading: false, failure: null });
    fill();
  };
  const fill = (): void => {
    for (const page of pagesOf(view, pages.getState().total ?? 1)) if (!asked.has(page)) void read(page);
  };
  const restart = (): void => {
    reading += 1;
    asked = new Set();
    isFresh = true;
    void read(Math.floor(view.first / PAGE));
  };

  restart();
  return {
    state: pages.getState,
    subscribe: pages.subscribe,
    setFilter(next) {
      filter = next;
      view = { first: 0, last: 0 };
      pages.setState({ isLoading: true });
      restart();
    },
    show(first, last) {
      view = { first, last };
      if (!isFresh) fill();
    },
    refresh: restart,
  };
}
