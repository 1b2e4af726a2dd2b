// How far the search index is, in the status line, while there is something it has not taken in.
import type { ReactNode } from 'react';
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

/** Fewer events than this are taken in before anyone could read the words. */
const WORTH_SAYING = 2_000;
const INDEXING_POLL_MS = 1_000;
const NO_WORDS = { query: '', kinds: [], before: null, limit: 1 };

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
function useProgress() {
  const isOwner = useConsole(({ record }) => record.app?.role === 'owner');
  const grown = useConsole(({ record }) => Math.floor((record.heard.at(-1)?.seq ?? 0) / WORTH_SAYING));
  const revision = useConsole(({ record }) => record.rowsRevision);
  const { value } = useAsk('log.search', isOwner ? NO_WORDS : null, {
    revision: `${String(grown)} ${String(revision)}`,
    everyMs: INDEXING_POLL_MS,
    isChanging: ({ progress: { indexed, total } }) => indexed < total,
  });
  return value?.progress ?? null;
}
