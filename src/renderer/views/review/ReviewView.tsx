// Review: at the left what is to review, beside it how the queue is doing or the item that is reviewed.
import { Highlighter, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ProjectRow, QueueRow } from '../../../shared/contract/review.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useKeys, usePane, useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { formatRoute, reviewRoute, type RouteOf } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { ItemScreen } from './ItemScreen.tsx';
import { ProjectDialog } from './ProjectDialog.tsx';
import { QueueDialog } from './QueueDialogs.tsx';
import { QueueOverview } from './QueueOverview.tsx';
import * as styles from './Review.module.css';
import { ReviewList } from './ReviewList.tsx';

/** Narrower than this, the list and the item take turns. */
const NARROW_PX = 760;

export function ReviewView({
  project: projectId,
  queue: queueId,
  item,
  isDeciding,
}: Omit<RouteOf['review'], 'view'>): ReactNode {
  const { store } = useSession();
  // What was handed over is taken once; it is let go with the view.
  const [handed, setHanded] = useState(() => store.getState().ui.queueChoice);
  useEffect(() => changeUi(store, () => ({ queueChoice: null })), [store]);
  const { projects, failure, isLoading, again } = useProjects(item);
  const [open, setOpen] = useState<'new project' | 'questions' | 'queue' | null>(null);
  // What was finished last can be opened again from the next one.
  const [finished, setFinished] = useState<string | null>(null);
  const view = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(view) < NARROW_PX;
  const [pane, setPane] = usePane('review list', 280);
  const [isOnList, setIsOnList] = useState(false);
  useKeys({ 'pane.list': () => setPane({ ...pane, isCollapsed: !pane.isCollapsed }) });

  const project = projects === null ? undefined : chosenProject(projects, projectId);
  const queue = project === undefined ? undefined : chosenQueue(project, queueId);
  const missing =
    projectId !== null && project === undefined
      ? 'project'
      : queueId !== null && queue === undefined
        ? 'queue'
        : null;
  // What was just made is in the next list.
  const isReading = projects === null || (missing !== null && isLoading);
  const close = (): void => {
    setOpen(null);
    setHanded(null);
  };
  const list =
    projects === null || project === undefined ? null : (
      <ReviewList
        {...{ projects, project, queue, item }}
        key={`${project.project} ${queue?.queue ?? ''}`}
        hasKeys={item === null || isOnList}
        onHasFocus={setIsOnList}
        onChanged={again}
      />
    );
  const shown =
    project === undefined ? null : queue === undefined || item === null ? (
      <QueueOverview key={queue?.queue} {...{ project, queue }} onOpen={setOpen} />
    ) : (
      <ItemScreen
        key={`${queue.queue} ${item} ${String(isDeciding)}`}
        {...{ project, queue, item, isDeciding, finished }}
        isQuiet={isOnList}
        onFinished={setFinished}
      />
    );
  return (
    <div className={styles.view} ref={view}>
      {isReading ? (
        <div className="fills">
          {failure === null ? (
            <Skeleton rows={8} height={24} label="Reading the projects" />
          ) : (
            <ErrorNote title="Could not read the projects" failure={failure} />
          )}
        </div>
      ) : missing !== null ? (
        <NotFound
          what={missing}
          name={(missing === 'project' ? projectId : queueId) ?? ''}
          href={formatRoute(reviewRoute(project?.project))}
          label={project === undefined ? 'Show the reviews' : `Show the queues of ${project.name}`}
        >
          {`is not in this ${missing === 'project' ? 'data folder' : 'project'}, or not for this seat.`}
        </NotFound>
      ) : project === undefined ? (
        <NoProject handed={handed?.episodes.length ?? 0} onNew={() => setOpen('new project')} />
      ) : isNarrow ? (
        <>
          {shown}
          {item === null ? list : null}
        </>
      ) : (
        <SplitPane
          label="What to review"
          side="start"
          pane={pane}
          onPane={setPane}
          min={220}
          max={560}
          content={list}
        >
          {shown}
        </SplitPane>
      )}
      {open === 'new project' || open === 'questions' ? (
        <ProjectDialog
          project={open === 'questions' ? (project ?? null) : null}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null);
            again();
          }}
        />
      ) : null}
      {project !== undefined && (open === 'queue' || handed !== null) ? (
        <QueueDialog project={project} episodes={handed?.episodes ?? null} onClose={close} onMade={again} />
      ) : null}
    </div>
  );
}

const free = ({ queues }: ProjectRow): number => queues.reduce((sum, queue) => sum + queue.free, 0);

/** The one of the address; without one, where there is something to do, else the newest. */
const chosenProject = (projects: readonly ProjectRow[], id: string | null): ProjectRow | undefined =>
  id === null
    ? (projects.find((one) => free(one) > 0) ?? projects[0])
    : projects.find(({ project }) => project === id);

const chosenQueue = ({ queues }: ProjectRow, id: string | null): QueueRow | undefined =>
  id === null ? (queues.find((one) => one.free > 0) ?? queues[0]) : queues.find(({ queue }) => queue === id);

/** News of one moment is read once. */
const PROJECTS_PAUSE_MS = 500;

/** The projects this seat may see. Each value of an item is news: while one is open, they are read as it changes. */
function useProjects(item: string | null) {
  const { watch } = useSession();
  const { value, failure, isLoading, again } = useAsk('project.list', {});
  useEffect(() => {
    again();
    if (item !== null) return undefined;
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
  }, [watch, again, item]);
  return { projects: value?.projects ?? null, failure, isLoading, again };
}

function NoProject({ handed, onNew }: { handed: number; onNew: () => void }): ReactNode {
  const isOwner = useRole() === 'owner';
  const action = (
    <Button tone="primary" icon={<Plus />} onClick={onNew}>
      New project
    </Button>
  );
  return (
    <EmptyState
      isPage
      icon={<Highlighter />}
      title={isOwner ? 'No projects yet' : 'Nothing to review'}
      {...(isOwner ? { action } : {})}
    >
      {!isOwner
        ? 'Queues assigned to you appear here.'
        : handed === 0
          ? 'A project holds the questions. Its queues say which episodes are reviewed, and by whom.'
          : `${formatCount(handed, 'episode')} selected in Episodes. They go into a queue of the new project.`}
    </EmptyState>
  );
}
