// An episode on its way to the screen: loading, missing, or there.
import type { ReactNode } from 'react';
import { formatCount } from '../../parts/text/size.ts';
import { useEpisodeRecord } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Episode.module.css';

/** An episode of fewer events is there before anyone reads how many. */
const MANY = 2000;

/** View instead of the episode, or null when it is there; `enough` is how many events suffice to begin with. */
export function useInstead(episode: string, enough: number | null = null): ReactNode {
  const { record, isLoaded, failure } = useEpisodeRecord(episode);
  const missing = (
    <NotFound
      what="episode"
      name={episode}
      href={formatRoute({ view: 'episodes' })}
      label="Open the episodes"
    />
  );
  if (failure?.code === 'not_found' && record.n === 0) return missing;
  if (failure !== null && record.n === 0) {
    return (
      <div className={styles.instead}>
        <ErrorNote title="Could not read the episode" failure={failure} />
      </div>
    );
  }
  // Shown once it is whole: whether it runs decides where reading begins, and drawing every batch costs more than all.
  // A replay may begin before: with its first events, or once the one that was asked for is there.
  if (record.started !== null && (isLoaded || (enough !== null && record.n >= enough))) return null;
  if (isLoaded) return missing;
  return (
    <div className={styles.instead}>
      <Skeleton rows={2} height={20} label="Loading the episode" />
      <Skeleton rows={9} height={28} label="Loading its steps" />
      {record.n < MANY ? null : <p role="status">{`${formatCount(record.n, 'event')} read so far`}</p>}
    </div>
  );
}
