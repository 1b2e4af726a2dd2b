// Annotation on screen: the projects, one of them, or an item under review.
import { useEffect, useState, type ReactNode } from 'react';
import { useSession } from '../../state/hooks.ts';
import { annotateRoute, formatRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Annotate.module.css';
import { Adjudicate } from './Adjudicate.tsx';
import { PairReview } from './PairReview.tsx';
import { ProjectList } from './ProjectList.tsx';
import { ProjectView } from './ProjectView.tsx';
import { QueueItems } from './QueueItems.tsx';
import { QueueStart } from './QueueStart.tsx';
import { ReviewItem } from './ReviewItem.tsx';
import { useProjects } from './useProjects.ts';

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
  const letGo = (): void => setHanded(null);
  const { projects, failure, isLoading, again } = useProjects(item !== null);
  // What was finished last can be opened again from the next one.
  const [finished, setFinished] = useState<string | null>(null);
  if (failure !== null && projects === null) {
    return (
      <div className={styles.page}>
        <ErrorNote title="Could not read the projects" failure={failure} />
      </div>
    );
  }
  const project = projects?.find((one) => one.project === id);
  const queue = project?.queues.find((one) => one.queue === queueId);
  const isMissing = (project === undefined && id !== null) || (queue === undefined && queueId !== null);
  // What was just made is in the next list.
  if (projects === null || (isMissing && isLoading)) {
    return (
      <div className={styles.page}>
        <Skeleton rows={8} height={24} label="Reading the projects" />
      </div>
    );
  }
  if (project === undefined && id !== null)
    return (
      <div className={styles.page}>
        <NotFound what="project" name={id} href={formatRoute(annotateRoute())} label="Show the projects">
          is not in this data folder, or not for this seat.
        </NotFound>
      </div>
    );
  if (project === undefined)
    return (
      <ProjectList projects={projects} onMade={again} handed={handed?.episodes ?? null} onLetGo={letGo} />
    );
  if (queue === undefined && queueId !== null)
    return (
      <div className={styles.page}>
        <NotFound
          what="queue"
          name={queueId}
          href={formatRoute(annotateRoute(project.project))}
          label={`Show the queues of ${project.name}`}
        >
          is not in this project, or not for this seat.
        </NotFound>
      </div>
    );
  if (queue === undefined)
    return (
      <ProjectView project={project} onChanged={again} handed={handed?.episodes ?? null} onLetGo={letGo} />
    );
  if (isListed) return <QueueItems key={queue.queue} project={project} queue={queue} onChanged={again} />;
  if (item === null) return <QueueStart project={project} queue={queue} />;
  const key = `${queue.queue} ${item}`;
  if (isJudged) return <Adjudicate key={key} project={project} queue={queue} item={item} />;
  const under = { project, queue, item, finished, onFinished: setFinished };
  return queue.subject === 'pair' ? <PairReview key={key} {...under} /> : <ReviewItem key={key} {...under} />;
}
