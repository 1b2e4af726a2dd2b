// Going into a queue: the next item for this seat, the next one to decide, or that nothing is left.
import { CircleCheck } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import type { ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { annotateRoute, formatRoute, navigate, useRoute } from '../../state/route.ts';
import { useAsk } from '../../state/queries.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Annotate.module.css';

export function QueueStart({ project, queue }: { project: ProjectRow; queue: QueueRow }): ReactNode {
  const route = useRoute();
  const isJudged = route.view === 'annotate' && route.isJudged;
  const at = { project: project.project, queue: queue.queue };
  const next = useAsk('queue.next', isJudged ? null : { ...at, after: null });
  const conflicts = useAsk(
    'queue.items',
    isJudged ? { ...at, show: 'conflicts', offset: 0, limit: 1 } : null,
  );
  const { failure, isLoading } = isJudged ? conflicts : next;
  const item = (isJudged ? conflicts.value?.items[0]?.item : next.value?.item) ?? null;
  const [projectId, queueId] = [at.project, at.queue];
  useEffect(() => {
    if (item !== null) navigate(annotateRoute(projectId, queueId, item, isJudged), { replace: true });
  }, [item, projectId, queueId, isJudged]);
  if (failure !== null) {
    return (
      <div className={styles.page}>
        <ErrorNote title="Could not find the next item" failure={failure} />
      </div>
    );
  }
  if (isLoading || item !== null) {
    return (
      <div className={styles.page}>
        <Skeleton rows={6} height={28} label="Finding the next item" />
      </div>
    );
  }
  const { done, progress } = queue;
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={isJudged ? 'Nothing left to decide' : 'You have finished this queue'}
    >
      <p>
        {isJudged
          ? 'Every disagreement has been decided.'
          : `You have finished ${String(done)}. The queue has ${String(progress.reviews_done)} of ${String(progress.reviews_wanted)} reviews.`}
      </p>
      <p>
        <a href={formatRoute(annotateRoute(project.project))}>Back to {project.name}</a>
      </p>
    </EmptyState>
  );
}
