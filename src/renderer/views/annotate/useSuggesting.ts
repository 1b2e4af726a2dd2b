// Owns: asking a model about many items of a queue, following it while it runs, and stopping it.
import { useEffect, useState } from 'react';
import type { QueueRow } from '../../../shared/contract/annotate.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';

/** The last item that was asked about gives no news of its own when nothing was suggested. */
const LOOK_MS = 1000;

export function useSuggesting(project: string, queue: QueueRow, onChanged: () => void) {
  const { call } = useSession();
  const [refusal, setRefusal] = useState<FailureShape | null>(null);
  const isRunning = queue.suggesting?.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(onChanged, LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, onChanged]);
  const act = (done: Promise<unknown>): void => {
    setRefusal(null);
    done.then(onChanged, (thrown: unknown) => setRefusal(failureShape(thrown)));
  };
  const at = { project, queue: queue.queue };
  return {
    isRunning,
    refusal,
    /** Null: every open item that has no suggestions. */
    start: (items: readonly string[] | null): void =>
      act(call('queue.suggest', { ...at, items: items === null ? null : [...items] })),
    stop: (): void => act(call('queue.stop_suggesting', at)),
  };
}
