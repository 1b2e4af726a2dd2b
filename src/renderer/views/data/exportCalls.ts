// How a job of main's is followed from here.
import { useMemo } from 'react';
import type { Session } from '../../state/createSession.ts';
import { useSession } from '../../state/hooks.ts';
import type { JobEdges } from './jobRunner.ts';

export function useExportCalls(): { call: Session['call']; edges: JobEdges } {
  const { call } = useSession();
  const edges = useMemo(
    () => ({
      job: (id: string) => call('export.job', { export: id }),
      cancel: (id: string) => call('export.cancel', { export: id }),
      sleep: (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms)),
    }),
    [call],
  );
  return { call, edges };
}
