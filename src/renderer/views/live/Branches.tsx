// Owns: going on from the place an episode is replayed to, in a branch of its own.
import { GitBranch } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { failureShape } from '../../../shared/failure.ts';
import { lastAnsweredTurn, notRunHere } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';

/** `shown` is the record at the replayed place, `whole` the episode to its end. */
export function Branches({ shown, whole }: { shown: EpisodeRecord; whole: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const turn = lastAnsweredTurn(shown);
  const problem = notRunHere(whole.started?.source);
  const open = (title: string, start: Promise<{ episode: string }>): void => {
    setIsBusy(true);
    start
      .then(({ episode }) => navigate({ view: 'live', episode }))
      .catch((thrown: unknown) => {
        const { message, next } = failureShape(thrown);
        toast({ tone: 'error', title, text: next === null ? message : `${message} ${next}` });
      })
      .finally(() => setIsBusy(false));
  };
  const fork = (): void =>
    open('Could not fork the episode', call('episode.fork', { episode: whole.id, turn }));
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
          ? `A new episode with the first ${String(turn)} turns as they were: the calls are made again, what differs is reported`
          : `${problem.why} ${problem.next}`
      }
    >
      {`Fork after turn ${String(turn)}`}
    </Button>
  );
}
