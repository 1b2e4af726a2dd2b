// Asking a model about many items of a queue, following it while it runs, and stopping it.
import { useEffect } from 'react';
import type { QueueRow } from '../../../shared/contract/annotate.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';

/** The last item that was asked about gives no news of its own when nothing was suggested. */
const SUGGESTING_POLL_MS = 1000;

export function useSuggesting(project: string, queue: QueueRow, onChanged: () => void) {
  const { call } = useSession();
  const act = useAct(async (ask: () => Promise<unknown>) => {
    await ask();
    onChanged();
  });
  const isRunning = queue.suggesting?.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(onChanged, SUGGESTING_POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, onChanged]);
  const at = { project, queue: queue.queue };
  return {
    isRunning,
    refusal: act.failure,
    /** Null: every open item that has no suggestions. */
    start: (items: readonly string[] | null): void =>
      void act.run(() => call('queue.suggest', { ...at, items: items === null ? null : [...items] })),
    stop: (): void => void act.run(() => call('queue.stop_suggesting', at)),
  };
}
