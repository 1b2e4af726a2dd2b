// The page of an episode: watched and answered while it runs, replayed from the log afterwards.
import { useState, type ReactNode } from 'react';
import { useConsole } from '../../state/hooks.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LiveEpisode } from './LiveEpisode.tsx';
import { ReplayedEpisode } from './ReplayedEpisode.tsx';

/** `n` is the event that the address names: with it, the recording is shown even while the episode runs. */
export function EpisodePage({ episode, n }: { episode: string; n: number | null }): ReactNode {
  const mayReplay = isViewOf('episodes', useRole());
  const status = useConsole(({ record }) => record.rows.get(episode)?.status);
  const areRowsLoaded = useConsole(({ record }) => record.areRowsLoaded);
  // Who watched it to its end stays with what became of it, until they ask for the replay.
  const [wasLive, setWasLive] = useState(false);
  const isRunning = status !== undefined && status !== 'ended';
  const isLive = !mayReplay || (n === null && (isRunning || wasLive));
  if (isLive !== wasLive) setWasLive(isLive);
  if (isLive) return <LiveEpisode episode={episode} />;
  if (n === null && !areRowsLoaded) return <Skeleton rows={9} height={28} label="Loading the episode" />;
  return <ReplayedEpisode episode={episode} asked={n} />;
}
