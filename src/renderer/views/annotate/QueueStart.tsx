// Owns: going into a queue: the next item for this seat, the next one to decide, or that nothing is left.
import { CircleCheck } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import type { ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { useSession } from '../../state/hooks.ts';
import { annotateRoute, formatRoute, navigate, useRoute } from '../../state/route.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './Annotate.module.css';

export function QueueStart({ project, queue }: { project: ProjectRow; queue: QueueRow }): ReactNode {
  const { call } = useSession();
  const route = useRoute();
  const isJudged = route.view === 'annotate' && route.isJudged;
  const at = { project: project.project, queue: queue.queue };
  const find = async (): Promise<string | null> => {
    if (!isJudged) return (await call('queue.next', { ...at, after: null })).item;
    const { items } = await call('queue.items', { ...at, show: 'conflicts', offset: 0, limit: 1 });
    return items[0]?.item ?? null;
  };
  const key = `next ${at.project} ${at.queue} ${String(isJudged)}`;
  const { value, failure, isLoading } = useAnswer(key, async () => ({ item: await find() }));
  const item = value?.item ?? null;
  const [projectId, queueId] = [at.project, at.queue];
  useEffect(() => {
    if (item !== null) navigate(annotateRoute(projectId, queueId, item, isJudged), { replace: true });
  }, [item, projectId, queueId, isJudged]);
  if (failure !== null) {
    return (
      <div className={styles['page']}>
        <ErrorNote title="Could not find the next item" failure={failure} />
      </div>
    );
  }
  if (isLoading || item !== null) {
    return (
      <div className={styles['page']}>
        <Skeleton rows={6} height={28} label="Finding the next item" />
      </div>
    );
  }
  const { done, progress } = queue;
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={isJudged ? 'Nothing left to decide' : 'Nothing left for you in this queue'}
    >
      <p>
        {isJudged
          ? 'Where reviewers differed, somebody has had the last word.'
          : `You have finished ${String(done)}. The queue has ${String(progress.reviews_done)} of ${String(progress.reviews_wanted)} reviews.`}
      </p>
      <p>
        <a href={formatRoute(annotateRoute(project.project))}>Back to {project.name}</a>
      </p>
    </EmptyState>
  );
}
