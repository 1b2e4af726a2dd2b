// Annotation on screen: the projects, one of them, the items of a queue, or the one under review.
import { CircleCheck } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { reviewRoute, formatRoute, navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ProjectList, ProjectView } from './Projects.tsx';
import { QueueItems } from './QueueItems.tsx';
import { ReviewScreen } from './ReviewScreen.tsx';

type AnnotateViewProps = {
  project: string | null;
  queue: string | null;
  item: string | null;
  isJudged: boolean;
  isListed?: boolean;
};

export function AnnotateView(props: AnnotateViewProps): ReactNode {
  const { project: id, queue: queueId, item, isJudged, isListed = false } = props;
  const { store } = useSession();
  // What was handed over is taken once; it is let go with the view.
  const [handed, setHanded] = useState(() => store.getState().ui.queueChoice);
  useEffect(() => changeUi(store, () => ({ queueChoice: null })), [store]);
  const { projects, failure, isLoading, again } = useProjects(item !== null);
  // What was finished last can be opened again from the next one.
  const [finished, setFinished] = useState<string | null>(null);
  const project = projects?.find((one) => one.project === id);
  const queue = project?.queues.find((one) => one.queue === queueId);
  const isMissing = (project === undefined && id !== null) || (queue === undefined && queueId !== null);
  // What was just made is in the next list.
  if (projects === null || (isMissing && isLoading)) {
    return (
      <div className="fills shrinks">
        {failure === null ? (
          <Skeleton rows={8} height={24} label="Reading the projects" />
        ) : (
          <ErrorNote title="Could not read the projects" failure={failure} />
        )}
      </div>
    );
  }
  if (isMissing) {
    return (
      <div className="fills shrinks">
        <NotFound
          what={project === undefined ? 'project' : 'queue'}
          name={(project === undefined ? id : queueId) ?? ''}
          href={formatRoute(reviewRoute(project?.project ?? null))}
          label={project === undefined ? 'Show the projects' : `Show the queues of ${project.name}`}
        >
          {`is not in this ${project === undefined ? 'data folder' : 'project'}, or not for this seat.`}
        </NotFound>
      </div>
    );
  }
  const handing = { handed: handed?.episodes ?? null, onLetGo: () => setHanded(null), onChanged: again };
  if (project === undefined) return <ProjectList projects={projects} {...handing} />;
  if (queue === undefined) return <ProjectView project={project} {...handing} />;
  if (isListed) return <QueueItems key={queue.queue} project={project} queue={queue} onChanged={again} />;
  if (item === null) return <QueueStart project={project} queue={queue} isJudged={isJudged} />;
  return (
    <ReviewScreen
      key={`${queue.queue} ${item}`}
      {...{ project, queue, item, isJudged, finished }}
      onFinished={setFinished}
    />
  );
}

/** News of one moment is read once. */
const PROJECTS_PAUSE_MS = 500;

/** The projects this seat may see. While `isReviewing`, none of them is on screen: they are read again after. */
function useProjects(isReviewing: boolean) {
  const { watch } = useSession();
  const { value, failure, isLoading, again } = useAsk('project.list', {});
  useEffect(() => {
    if (isReviewing) return undefined;
    again();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = watch({ topic: 'projects' }, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        again();
      }, PROJECTS_PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [watch, again, isReviewing]);
  return { projects: value?.projects ?? null, failure, isLoading, again };
}

type QueueStartProps = { project: ProjectRow; queue: QueueRow; isJudged: boolean };

/** Going into a queue: the next item for this seat, the next one to decide, or that nothing is left. */
function QueueStart({ project, queue, isJudged }: QueueStartProps): ReactNode {
  const [projectId, queueId] = [project.project, queue.queue];
  const at = { project: projectId, queue: queueId };
  const next = useAsk('queue.next', isJudged ? null : { ...at, after: null });
  const conflicts = useAsk(
    'queue.items',
    isJudged ? { ...at, show: 'conflicts', offset: 0, limit: 1 } : null,
  );
  const { failure, isLoading } = isJudged ? conflicts : next;
  const item = (isJudged ? conflicts.value?.items[0]?.item : next.value?.item) ?? null;
  useEffect(() => {
    if (item !== null) navigate(reviewRoute(projectId, queueId, item, isJudged), { replace: true });
  }, [item, projectId, queueId, isJudged]);
  if (failure !== null || isLoading || item !== null) {
    return (
      <div className="fills shrinks">
        {failure === null ? (
          <Skeleton rows={6} height={28} label="Finding the next item" />
        ) : (
          <ErrorNote title="Could not find the next item" failure={failure} />
        )}
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
        <a href={formatRoute(reviewRoute(project.project))}>Back to {project.name}</a>
      </p>
    </EmptyState>
  );
}
