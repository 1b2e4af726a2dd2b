// What can be done with a turn that was made: go on from it in a branch, or try something else in its place.
import { GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import { notRunHere } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { TryFromHere } from '../preview/TryFromHere.tsx';
import { forkTurn } from './forkTurn.ts';
import { useFork } from './useFork.ts';

export function TurnActs({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const role = useRole();
  const { fork, isBusy } = useFork(record);
  const from = forkTurn(record, turn.turn);
  const problem = notRunHere(record.started?.source);
  return (
    <>
      {from === null || !isViewOf('replay', role) ? null : (
        <div>
          <Button
            size="small"
            icon={<GitFork />}
            isBusy={isBusy}
            isDisabled={problem !== null}
            {...(problem === null ? {} : { title: `${problem.why} ${problem.next}` })}
            onClick={() => void fork(turn.turn)}
          >
            {turn.move?.type === 'final' ? 'Fork before the final answer' : `Fork after turn ${String(from)}`}
          </Button>
        </div>
      )}
      <TryFromHere turn={turn} record={record} />
    </>
  );
}
