// Owns: an episode on its way to the screen: loading, missing, or there.
import type { ReactNode } from 'react';
import { useEpisodeRecord } from '../../state/hooks.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './LiveView.module.css';

/** What to show instead of the episode, or null when it is there. */
export function useInstead(episode: string): ReactNode {
  const { record, isLoaded, failure } = useEpisodeRecord(episode);
  if (failure !== null && record.n === 0) {
    return (
      <div className={styles['instead']}>
        <ErrorNote title="Could not read the episode" failure={failure} />
      </div>
    );
  }
  if (record.started !== null) return null;
  if (isLoaded) {
    return (
      <EmptyState title="There is no such episode">
        <p>
          <code>{episode}</code> is not in this data folder. It may belong to another one.
        </p>
        <p>
          <a href="#/library">Open the library</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <div className={styles['instead']}>
      <Skeleton rows={2} height={20} label="Loading the episode" />
      <Skeleton rows={9} height={28} label="Loading its steps" />
    </div>
  );
}
