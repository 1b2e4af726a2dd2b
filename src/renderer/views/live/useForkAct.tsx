// Going on from the place an episode is replayed to, in a branch of its own.
import { GitBranch } from 'lucide-react';
import { lastAnsweredTurn, notRunHere } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import type { ToolbarAct } from '../../ui/Toolbar.tsx';

/** `shown` is the record at the replayed place, `whole` the episode to its end. */
export function useForkAct(shown: EpisodeRecord, whole: EpisodeRecord): ToolbarAct {
  const { call } = useSession();
  const turn = lastAnsweredTurn(shown);
  const problem = notRunHere(whole.started?.source);
  const { isBusy, run } = useAct(async () => {
    const { episode } = await call('episode.fork', { episode: whole.id, turn });
    navigate({ view: 'live', episode });
  }, 'Could not fork the episode');
  const fork = (): void => void run();
  useKeys('replay', problem === null ? { 'replay.fork': fork } : {});
  return {
    id: 'fork',
    label: `Fork after turn ${String(turn)}`,
    icon: <GitBranch />,
    chord: 'replay.fork',
    tone: 'plain',
    isBusy,
    reason: problem === null ? null : `${problem.why} ${problem.next}`,
    title: `A new episode with the first ${String(turn)} turns. Their calls are replayed and differences reported`,
    run: fork,
  };
}
