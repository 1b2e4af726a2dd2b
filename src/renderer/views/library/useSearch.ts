// Asking main where words stand, page by page; an answer to earlier words is dropped.
import { useEffect, useRef, useState } from 'react';
import type { HitKind, SearchHit, SearchProgress } from '../../../shared/contract/library.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';

type SearchState = {
  hits: readonly SearchHit[];
  hasMore: boolean;
  isPrefix: boolean;
  isLoading: boolean;
  failure: FailureShape | null;
  progress: SearchProgress | null;
};

const EMPTY_SEARCH: SearchState = {
  hits: [],
  hasMore: false,
  isPrefix: false,
  isLoading: false,
  failure: null,
  progress: null,
};
const HITS_PER_PAGE = 50;

export function useSearch(query: string, kinds: readonly HitKind[]): SearchState & { more: () => void } {
  const { call } = useSession();
  const [state, setState] = useState<SearchState>(EMPTY_SEARCH);
  const asking = useRef(0);
  const ask = (before: SearchHit | null): void => {
    const mine = (asking.current += 1);
    setState((now) => ({ ...now, isLoading: true, failure: null }));
    call('log.search', {
      query,
      kinds: [...kinds],
      before: before?.place ?? null,
      limit: HITS_PER_PAGE,
    }).then(
      ({ hits, has_more: hasMore, is_prefix: isPrefix, progress }) => {
        if (mine !== asking.current) return;
        setState((now) => ({
          hits: before === null ? hits : [...now.hits, ...hits],
          hasMore,
          isPrefix: before === null ? isPrefix : now.isPrefix,
          isLoading: false,
          failure: null,
          progress,
        }));
      },
      (thrown: unknown) => {
        if (mine === asking.current) {
          setState((now) => ({ ...now, isLoading: false, failure: failureShape(thrown) }));
        }
      },
    );
  };
  const wanted = kinds.join(' ');
  useEffect(() => {
    asking.current += 1;
    if (query.trim() === '') setState(EMPTY_SEARCH);
    else ask(null);
    // `ask` reads what is asked for from this very render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [query, wanted]);
  const more = (): void => {
    const last = state.hits.at(-1);
    if (state.hasMore && !state.isLoading && last !== undefined) ask(last);
  };
  return { ...state, more };
}
