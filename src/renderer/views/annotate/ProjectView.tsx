// One project: its queues with progress and agreement, its questions, and what leaves it.
import { Download, Pencil, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { type Act, useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { annotateRoute, formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import * as styles from './Annotate.module.css';
import { ProjectDialog } from './ProjectDialog.tsx';
import { QueueCard } from './QueueCard.tsx';
import { QueueDialog } from './QueueDialog.tsx';

type Props = {
  project: ProjectRow;
  onChanged: () => void;
  /** Episodes that were chosen in the library for a new queue. */
  handed: readonly string[] | null;
  onLetGo: () => void;
};

export function ProjectView({ project, onChanged, handed, onLetGo }: Props): ReactNode {
  const isOwner = useRole() === 'owner';
  const [open, setOpen] = useState<'none' | 'project' | 'queue'>('none');
  const download = useDownload(project);
  const isFilling = open === 'queue' || (isOwner && handed !== null);
  const close = (): void => {
    setOpen('none');
    onLetGo();
  };
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <a href={formatRoute(annotateRoute())}>Annotate</a>
            <h1 className={styles.heading}>{project.name}</h1>
            {project.instructions === '' ? null : (
              <p className={styles.instructions}>{project.instructions}</p>
            )}
          </div>
          {isOwner ? (
            <span className={styles.acts}>
              <Button icon={<Download />} isBusy={download.isBusy} onClick={() => void download.run()}>
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
            A queue holds the episodes to review. Select them as in the library.
          </EmptyState>
        ) : (
          project.queues.map((queue) => <QueueCard key={queue.queue} project={project} queue={queue} />)
        )}
        <Questions project={project} />
      </div>
      {open === 'project' ? <ProjectDialog project={project} onClose={close} onSaved={onChanged} /> : null}
      {isFilling ? (
        <QueueDialog project={project} episodes={handed} onClose={close} onMade={onChanged} />
      ) : null}
    </div>
  );
}

const LEVEL_LABELS = {
  trajectory: 'whole episode',
  step: 'step',
  call: 'call',
  range: 'marked words',
} as const;

function Questions({ project: { dimensions, schema_version: version } }: { project: ProjectRow }): ReactNode {
  return (
    <details className={styles.fold}>
      <summary>
        {formatCount(dimensions.length, 'question')}{' '}
        <span className={styles.facts}>{`version ${String(version)}`}</span>
      </summary>
      <ul className={styles.questions}>
        {dimensions.map((dimension) => (
          <li key={dimension.id}>
            <strong>{dimension.name}</strong>{' '}
            <span className={styles.facts}>
              {dimension.type === 'free_text' ? 'text' : dimension.type} on{' '}
              {dimension.on.map((level) => LEVEL_LABELS[level]).join(', ')}
              {dimension.is_required ? ', required' : ''}
            </span>
            {'options' in dimension ? (
              <p className={styles.options}>{dimension.options.map(({ label }) => label).join(' · ')}</p>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

const ITEMS_MAX = 2000;

/** Everything said in the project, read page by page and saved by the browser. */
function useDownload({ project, name }: ProjectRow): Act<[]> {
  const { call } = useSession();
  const toast = useToast();
  return useAct(async () => {
    const lines: string[] = [];
    for (;;) {
      const page = await call('annotation.export', { project, offset: lines.length, limit: ITEMS_MAX });
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
