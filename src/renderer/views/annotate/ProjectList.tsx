// The list of annotation projects, and how one begins.
import { Highlighter, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { useRole } from '../../state/role.ts';
import { annotateRoute, formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { formatCount } from '../../parts/text/size.ts';
import * as styles from './Annotate.module.css';
import { ProjectDialog } from './ProjectDialog.tsx';

type Props = {
  projects: readonly ProjectRow[];
  onMade: () => void;
  /** Episodes that were chosen in the library for a new queue. */
  handed: readonly string[] | null;
  onLetGo: () => void;
};

export function ProjectList({ projects, onMade, handed, onLetGo }: Props): ReactNode {
  const isOwner = useRole() === 'owner';
  const [isMaking, setIsMaking] = useState(false);
  const make = (
    <Button tone="primary" icon={<Plus />} onClick={() => setIsMaking(true)}>
      New project
    </Button>
  );
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <h1 className={styles.heading}>Annotate</h1>
            <p className={styles.lead}>
              Reviews are stored apart from episodes, so an episode can be shared without them.
            </p>
          </div>
          {isOwner && projects.length > 0 ? make : null}
        </header>
        {handed === null ? null : (
          <p role="status">
            {`${formatCount(handed.length, 'episode')} selected in the library. Create or open a project to add them to a queue. `}
            <Button size="small" tone="quiet" onClick={onLetGo}>
              Discard
            </Button>
          </p>
        )}
        {projects.length === 0 ? (
          <EmptyState
            icon={<Highlighter />}
            title={isOwner ? 'No projects yet' : 'Nothing to review'}
            {...(isOwner ? { action: make } : {})}
          >
            {isOwner
              ? 'A project defines the questions. Its queues define which episodes, and who reviews them.'
              : 'Queues assigned to you appear here.'}
          </EmptyState>
        ) : (
          <ul className={styles.cards} aria-label="Projects">
            {projects.map((project) => (
              <ProjectCard key={project.project} project={project} />
            ))}
          </ul>
        )}
      </div>
      {isMaking ? <ProjectDialog project={null} onClose={() => setIsMaking(false)} onSaved={onMade} /> : null}
    </div>
  );
}

function ProjectCard({ project }: { project: ProjectRow }): ReactNode {
  const { name, dimensions, queues, updated_at } = project;
  const free = queues.reduce((sum, queue) => sum + queue.free, 0);
  return (
    <li>
      <a className={styles.card} href={formatRoute(annotateRoute(project.project))}>
        <span className={styles.cardName}>{name}</span>
        <span className={styles.facts}>
          {formatCount(dimensions.length, 'question')} · {formatCount(queues.length, 'queue')}
        </span>
        <span className={styles.gap} />
        {free === 0 ? null : <strong className={styles.waits}>{`${String(free)} to review`}</strong>}
        <RelativeTime at={updated_at} className={styles.facts ?? ''} />
      </a>
    </li>
  );
}
