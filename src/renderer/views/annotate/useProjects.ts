// Owns: the projects this seat may see, read again when main says that one changed.
import { useEffect } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';

/** News of one moment is read once. */
const PAUSE_MS = 300;

export function useProjects(): {
  projects: readonly ProjectRow[] | null;
  failure: FailureShape | null;
  again: () => void;
} {
  const { call, watch } = useSession();
  const { value, failure, again } = useAnswer('projects', () => call('project.list', {}));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = watch({ topic: 'projects' }, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        again();
      }, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [watch, again]);
  return { projects: value?.projects ?? null, failure, again };
}
