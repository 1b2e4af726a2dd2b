// Cancels an episode whose environment is not ready yet: nothing has happened in it that a reason would explain.
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';

export function useCancelStart(episode: string): { isBusy: boolean; run: () => void } {
  const { call } = useSession();
  const { isBusy, run } = useAct(
    () => call('episode.stop', { episode, reason: null }),
    'Could not cancel the start',
  );
  return { isBusy, run: () => void run() };
}
