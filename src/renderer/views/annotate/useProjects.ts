// The projects this seat may see, read again when main says that one changed.
import { useEffect } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

/** News of one moment is read once. */
const PROJECTS_PAUSE_MS = 500;

/** While `isReviewing`, nothing of the list is on screen: it is read again when that is over. */
export function useProjects(isReviewing: boolean): {
  projects: readonly ProjectRow[] | null;
  failure: FailureShape | null;
  isLoading: boolean;
  again: () => void;
} {
  const { watch } = useSession();
  const { value, failure, isLoading, again } = useAsk('project.list', {});
  useEffect(() => {
    if (isReviewing) return undefined;
    again();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = watch({ topic: 'projects' }, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        again();
      }, PROJECTS_PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [watch, again, isReviewing]);
  return { projects: value?.projects ?? null, failure, isLoading, again };
}
