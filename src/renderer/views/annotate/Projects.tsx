// The annotation projects, and one of them: its queues with progress and agreement, its questions, and what leaves it.
import { Download, Highlighter, Pencil, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { reviewRoute, formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import * as styles from './Annotate.module.css';
import { LEVEL_LABELS, ProjectDialog } from './ProjectDialog.tsx';
import { QueueCard } from './QueueCard.tsx';
import { QueueDialog } from './QueueDialogs.tsx';

type HandedEpisodes = {
  /** Read again what is shown. */
  onChanged: () => void;
  /** Episodes that were chosen in Episodes for a new queue. */
  handed: readonly string[] | null;
  onLetGo: () => void;
};

type ProjectListProps = HandedEpisodes & { projects: readonly ProjectRow[] };

export function ProjectList({ projects, onChanged, handed, onLetGo }: ProjectListProps): ReactNode {
  const isOwner = useRole() === 'owner';
  const [isMaking, setIsMaking] = useState(false);
  const make = (
    <Button tone="primary" icon={<Plus />} onClick={() => setIsMaking(true)}>
      New project
    </Button>
  );
  return (
    <div className="fills shrinks">
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <h1 className={styles.heading}>Review</h1>
            <p className={styles.lead}>
              Reviews are stored apart from episodes, so an episode can be shared without them.
            </p>
          </div>
          {isOwner && projects.length > 0 ? make : null}
        </header>
        {handed === null ? null : (
          <p role="status">
            {`${formatCount(handed.length, 'episode')} selected in Episodes. Create or open a project to add them to a queue. `}
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
            {projects.map(({ project, name, dimensions, queues, updated_at: updatedAt }) => {
              const free = queues.reduce((sum, queue) => sum + queue.free, 0);
              return (
                <li key={project}>
                  <a className={styles.card} href={formatRoute(reviewRoute(project))}>
                    <span className="strong">{name}</span>
                    <span className="quiet regular small">
                      {formatCount(dimensions.length, 'question')} · {formatCount(queues.length, 'queue')}
                    </span>
                    <span className="grows" />
                    {free === 0 ? null : (
                      <strong className={styles.waits}>{`${String(free)} to review`}</strong>
                    )}
                    <RelativeTime at={updatedAt} className="quiet regular small" />
                  </a>
                </li>
              );
            })}
          </ul>
        )}
      </div>
      {isMaking ? (
        <ProjectDialog project={null} onClose={() => setIsMaking(false)} onSaved={onChanged} />
      ) : null}
    </div>
  );
}

type ProjectViewProps = HandedEpisodes & { project: ProjectRow };

export function ProjectView({ project, onChanged, handed, onLetGo }: ProjectViewProps): ReactNode {
  const isOwner = useRole() === 'owner';
  const [open, setOpen] = useState<'none' | 'project' | 'queue'>('none');
  const { isBusy: isSaving, run: download } = useDownload(project);
  const close = (): void => {
    setOpen('none');
    onLetGo();
  };
  return (
    <div className="fills shrinks">
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <a href={formatRoute(reviewRoute())}>Review</a>
            <h1 className={styles.heading}>{project.name}</h1>
            {project.instructions === '' ? null : (
              <p className={styles.instructions}>{project.instructions}</p>
            )}
          </div>
          {isOwner ? (
            <span className={styles.acts}>
              <Button icon={<Download />} isBusy={isSaving} onClick={() => void download()}>
                Save as JSONL
              </Button>
              <Button icon={<Pencil />} onClick={() => setOpen('project')}>
                Questions
              </Button>
              <Button
                tone={project.queues.length === 0 ? 'primary' : 'plain'}
                icon={<Plus />}
                onClick={() => setOpen('queue')}
              >
                New queue
              </Button>
            </span>
          ) : null}
        </header>
        {project.queues.length === 0 ? (
          <EmptyState title="No queue yet">
            A queue holds the episodes to review. Select them as in Episodes.
          </EmptyState>
        ) : (
          project.queues.map((queue) => <QueueCard key={queue.queue} project={project} queue={queue} />)
        )}
        <Questions project={project} />
      </div>
      {open === 'project' ? <ProjectDialog project={project} onClose={close} onSaved={onChanged} /> : null}
      {open === 'queue' || (isOwner && handed !== null) ? (
        <QueueDialog project={project} episodes={handed} onClose={close} onMade={onChanged} />
      ) : null}
    </div>
  );
}

function Questions({ project: { dimensions, schema_version: version } }: { project: ProjectRow }): ReactNode {
  return (
    <details className={styles.fold}>
      <summary>
        {formatCount(dimensions.length, 'question')}{' '}
        <span className="quiet regular small">{`version ${String(version)}`}</span>
      </summary>
      <ul className="stack-2">
        {dimensions.map((dimension) => (
          <li key={dimension.id}>
            <strong>{dimension.name}</strong>{' '}
            <span className="quiet regular small">
              {dimension.type === 'free_text' ? 'text' : dimension.type} on{' '}
              {dimension.on.map((level) => LEVEL_LABELS[level].toLowerCase()).join(', ')}
              {dimension.is_required ? ', required' : ''}
            </span>
            {'options' in dimension ? (
              <p className="soft small">{dimension.options.map(({ label }) => label).join(' · ')}</p>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

const LINES_MAX = 2000;

/** Everything said in the project, read page by page and saved by the browser. */
function useDownload({ project, name }: ProjectRow) {
  const { call } = useSession();
  const toast = useToast();
  return useAct(async () => {
    const lines: string[] = [];
    for (;;) {
      const page = await call('annotation.export', { project, offset: lines.length, limit: LINES_MAX });
      lines.push(...page.lines);
      if (page.lines.length === 0 || lines.length >= page.total) break;
    }
    saveFile(
      `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.jsonl`,
      new Blob(
        lines.map((line) => `${line}\n`),
        { type: 'application/jsonl' },
      ),
    );
    toast({ tone: 'ok', title: `Saved ${String(lines.length)} lines` });
  }, 'Could not save');
}
