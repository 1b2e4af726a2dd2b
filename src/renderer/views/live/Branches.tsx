// Going on from the place an episode is replayed to, in a branch of its own.
import { GitBranch } from 'lucide-react';
import type { ReactNode } from 'react';
import { lastAnsweredTurn, notRunHere } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';

/** `shown` is the record at the replayed place, `whole` the episode to its end. */
export function Branches({ shown, whole }: { shown: EpisodeRecord; whole: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const turn = lastAnsweredTurn(shown);
  const problem = notRunHere(whole.started?.source);
  const { isBusy, run } = useAct(async () => {
    const { episode } = await call('episode.fork', { episode: whole.id, turn });
    navigate({ view: 'live', episode });
  }, 'Could not fork the episode');
  const fork = (): void => void run();
  useKeys('replay', problem === null ? { 'replay.fork': fork } : {});
  return (
    <Button
      size="small"
      icon={<GitBranch />}
      isBusy={isBusy}
      isDisabled={problem !== null}
      chord="replay.fork"
      onClick={fork}
      title={
        problem === null
          ? `A new episode with the first ${String(turn)} turns. Their calls are replayed and differences reported`
          : `${problem.why} ${problem.next}`
      }
    >
      {`Fork after turn ${String(turn)}`}
    </Button>
  );
}
