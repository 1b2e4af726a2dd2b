// How far the search index is, in the status line, while there is something it has not taken in.
import { useEffect, useState, type ReactNode } from 'react';
import type { SearchProgress } from '../../../shared/contract/library.ts';
import { useConsole, useSession } from '../../state/hooks.ts';

/** Fewer events than this are taken in before anyone could read the words. */
const WORTH_SAYING = 2_000;
const INDEXING_POLL_MS = 1_000;

export function Indexing({ className }: { className: string | undefined }): ReactNode {
  const progress = useProgress();
  const left = progress === null ? 0 : progress.total - progress.indexed;
  if (progress === null || left < WORTH_SAYING) return null;
  const share = Math.floor((progress.indexed / progress.total) * 100);
  return (
    <span className={className} title={`${left.toLocaleString()} events not indexed yet`}>
      {`Building the search index: ${String(share)} %`}
    </span>
  );
}

/** Asked for when the log grew, and again each second while the index is behind. */
function useProgress(): SearchProgress | null {
  const { call } = useSession();
  const isOwner = useConsole(({ record }) => record.app?.role === 'owner');
  const grown = useConsole(({ record }) => Math.floor((record.heard.at(-1)?.seq ?? 0) / WORTH_SAYING));
  const revision = useConsole(({ record }) => record.rowsRevision);
  const [progress, setProgress] = useState<SearchProgress | null>(null);
  const isBehind = progress !== null && progress.indexed < progress.total;
  useEffect(() => {
    if (!isOwner) return undefined;
    // A lost line says so itself, and the next event asks again.
    const look = (): void => void call('log.search_progress', {}).then(setProgress, () => undefined);
    look();
    if (!isBehind) return undefined;
    const timer = setInterval(look, INDEXING_POLL_MS);
    return () => clearInterval(timer);
  }, [call, isOwner, grown, revision, isBehind]);
  return progress;
}
