// Owns: annotation on screen: the projects, one of them, or an item under review.
import { useState, type ReactNode } from 'react';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './Annotate.module.css';
import { Adjudicate } from './Adjudicate.tsx';
import { PairReview } from './PairReview.tsx';
import { ProjectList } from './ProjectList.tsx';
import { ProjectView } from './ProjectView.tsx';
import { QueueStart } from './QueueStart.tsx';
import { ReviewItem } from './ReviewItem.tsx';
import { useProjects } from './useProjects.ts';

export type AnnotateViewProps = {
  project: string | null;
  queue: string | null;
  item: string | null;
  isJudged: boolean;
};

export function AnnotateView({ project: id, queue: queueId, item, isJudged }: AnnotateViewProps): ReactNode {
  const { projects, failure, again } = useProjects(item !== null);
  // What was finished last can be opened again from the next one.
  const [finished, setFinished] = useState<string | null>(null);
  if (failure !== null && projects === null) {
    return (
      <div className={styles['page']}>
        <ErrorNote title="Could not read the projects" failure={failure} />
      </div>
    );
  }
  if (projects === null) {
    return (
      <div className={styles['page']}>
        <Skeleton rows={8} height={24} label="Reading the projects" />
      </div>
    );
  }
  const project = projects.find((one) => one.project === id);
  const queue = project?.queues.find((one) => one.queue === queueId);
  if (project === undefined)
    return <ProjectList projects={projects} isMissing={id !== null} onMade={again} />;
  if (queue === undefined) return <ProjectView project={project} onChanged={again} />;
  if (item === null) return <QueueStart project={project} queue={queue} />;
  const key = `${queue.queue} ${item}`;
  if (isJudged) return <Adjudicate key={key} project={project} queue={queue} item={item} />;
  const props = { project, queue, item, finished, onFinished: setFinished };
  return queue.subject === 'pair' ? <PairReview key={key} {...props} /> : <ReviewItem key={key} {...props} />;
}
