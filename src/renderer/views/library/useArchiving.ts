// What is archived or brought back just now, and starting and stopping it.
import { useEffect } from 'react';
import type { ArchiveJob } from '../../../shared/contract/archive.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';

type Start = Inputs['archive.start'];
type BringBack = Inputs['archive.bring_back']['from'];

export type Archiving = {
  jobs: readonly ArchiveJob[];
  /** Resolves with true when it has begun; else `failure` says why not. */
  start: (choice: Start['choice'], compact: boolean) => Promise<boolean>;
  bringBack: (from: BringBack) => Promise<boolean>;
  /** Stops a job, or takes one that is over off the list. */
  cancel: (job: string) => void;
  isBusy: boolean;
  failure: FailureShape | null;
};

const POLL_MS = 400;

export const isUnderway = ({ state }: ArchiveJob): boolean => state === 'waiting' || state === 'running';

export function useArchiving(onMoved: () => void): Archiving {
  const { call } = useSession();
  const { last, again } = useAsk(
    'archive.jobs',
    {},
    { everyMs: POLL_MS, isChanging: ({ jobs }) => jobs.some(isUnderway) },
  );
  const jobs = last?.jobs ?? [];
  const over = jobs.filter((job) => !isUnderway(job)).map(({ job }) => job);
  const newest = over.at(-1) ?? null;
  useEffect(() => {
    if (newest !== null) onMoved();
  }, [newest, onMoved]);
  const starting = useAct(async (choice: Start['choice'], compact: boolean) => {
    await call('archive.start', { choice, compact });
    again();
  });
  const bringing = useAct(async (from: BringBack) => {
    await call('archive.bring_back', { from });
    again();
  }, 'Could not bring back');
  const cancelling = useAct(async (job: string) => {
    await call('archive.cancel', { job });
    again();
  }, 'Could not stop');
  return {
    jobs,
    start: starting.run,
    bringBack: bringing.run,
    cancel: (job) => void cancelling.run(job),
    isBusy: starting.isBusy || bringing.isBusy,
    failure: starting.failure,
  };
}
