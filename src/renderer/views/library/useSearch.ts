// Asking main where words stand, page by page.
import { useMemo } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { HitKind, SearchHit } from '../../../shared/contract/library.ts';
import { useSession } from '../../state/hooks.ts';
import { usePages, type AnswerPages } from '../../state/queries.ts';

type SearchPage = Outputs['log.search'];
type SearchState = Pick<AnswerPages<SearchPage>, 'isLoading' | 'failure' | 'more'> & {
  hits: readonly SearchHit[];
  hasMore: boolean;
  isPrefix: boolean;
  progress: SearchPage['progress'] | null;
};

const HITS_PER_PAGE = 50;

export function useSearch(query: string, kinds: readonly HitKind[]): SearchState {
  const { call } = useSession();
  const { pages, ...reading } = usePages<SearchPage>(
    query.trim() === '' ? null : ['log.search', query, kinds],
    (read) => {
      const before = read.at(-1)?.hits.at(-1)?.place ?? null;
      return call('log.search', { query, kinds: [...kinds], before, limit: HITS_PER_PAGE });
    },
    (read) => read.at(-1)?.has_more === true,
  );
  return {
    ...reading,
    hits: useMemo(() => pages.flatMap(({ hits }) => hits), [pages]),
    hasMore: pages.at(-1)?.has_more === true,
    isPrefix: pages[0]?.is_prefix === true,
    progress: pages.at(-1)?.progress ?? null,
  };
}
