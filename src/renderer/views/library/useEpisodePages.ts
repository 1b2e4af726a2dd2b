// The pages of the library, with the rows that changed since they were read, and how many are new.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { createPager, type Pages } from './pager.ts';
import { isNewestFirst, matchesFilter, type EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';

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
