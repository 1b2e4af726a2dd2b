// Asking main where words stand, page by page.
import { useEffect, useMemo } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { HitKind, SearchHit } from '../../../shared/contract/library.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk, usePages, type AnswerPages } from '../../state/queries.ts';

type SearchPage = Outputs['log.search'];
type SearchState = Pick<AnswerPages<SearchPage>, 'isLoading' | 'failure' | 'more'> & {
  hits: readonly SearchHit[];
  hasMore: boolean;
  isPrefix: boolean;
  progress: SearchPage['progress'] | null;
};

const HITS_PER_PAGE = 50;
const INDEXING_POLL_MS = 1_000;

export function useSearch(query: string, kinds: readonly HitKind[]): SearchState {
  const { call } = useSession();
  const { pages, again, ...reading } = usePages<SearchPage>(
    query.trim() === '' ? null : ['log.search', query, kinds],
    (read) => {
      const before = read.at(-1)?.hits.at(-1)?.place ?? null;
      return call('log.search', { query, kinds: [...kinds], before, limit: HITS_PER_PAGE });
    },
    (read) => read.at(-1)?.has_more === true,
  );
  const progress = pages.at(-1)?.progress ?? null;
  useIndexed(progress !== null && isBehind(progress), again);
  return {
    ...reading,
    hits: useMemo(() => pages.flatMap(({ hits }) => hits), [pages]),
    hasMore: pages.at(-1)?.has_more === true,
    isPrefix: pages[0]?.is_prefix === true,
    progress,
  };
}

type Progress = SearchPage['progress'];
const isBehind = ({ indexed, total }: Progress): boolean => indexed < total;

/** Searches again once the index has caught up: what was found before may not be all. */
function useIndexed(isWaiting: boolean, again: () => void): void {
  const noWords = { query: '', kinds: [], before: null, limit: 1 };
  const { value } = useAsk('log.search', isWaiting ? noWords : null, {
    everyMs: INDEXING_POLL_MS,
    isChanging: ({ progress }) => isBehind(progress),
    keepsPrevious: false,
  });
  const isReady = value !== null && !isBehind(value.progress);
  useEffect(() => {
    if (isReady) again();
  }, [isReady, again]);
}
