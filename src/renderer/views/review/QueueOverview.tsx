// A project and one of its queues at a glance: how far it is, who did how much, how far reviewers agree, its questions.
import { Download, EyeOff, Gavel, Pencil, Play, Plus, VenetianMask } from 'lucide-react';
import type { ReactNode } from 'react';
import { PREFERENCE } from '../../../shared/review/agreement.ts';
import type { AgreementRow, ProjectRow, QueueRow } from '../../../shared/contract/review.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Table } from '../../ui/Table.tsx';
import { formatDuration } from '../../ui/time.ts';
import { LEVEL_LABELS } from './ProjectDialog.tsx';
import * as styles from './Review.module.css';
import { useNextItem } from './useNextItem.ts';

type QueueOverviewProps = {
  project: ProjectRow;
  /** Undefined where the project has none yet. */
  queue: QueueRow | undefined;
  onOpen: (dialog: 'new project' | 'questions' | 'queue') => void;
};

export function QueueOverview({ project, queue, onOpen }: QueueOverviewProps): ReactNode {
  const isOwner = useRole() === 'owner';
  const { isBusy: isSaving, run: download } = useDownload(project);
  return (
    <div className={styles.overview}>
      <header className="stack-2">
        <div className="wrap-3 centered">
          <h1 className="large">{project.name}</h1>
          <span className="grows" />
          {isOwner ? (
            <>
              <Button size="small" icon={<Download />} isBusy={isSaving} onClick={() => void download()}>
                Save as JSONL
              </Button>
              <Button size="small" icon={<Pencil />} onClick={() => onOpen('questions')}>
                Questions
              </Button>
              <Button
                {...(queue === undefined ? { tone: 'primary' as const } : {})}
                size="small"
                icon={<Plus />}
                onClick={() => onOpen('queue')}
              >
                New queue
              </Button>
              <Button size="small" icon={<Plus />} onClick={() => onOpen('new project')}>
                New project
              </Button>
            </>
          ) : null}
        </div>
        {project.instructions === '' ? null : <p className={styles.instructions}>{project.instructions}</p>}
      </header>
      {queue === undefined ? (
        <p className="soft">
          No queue yet. A queue holds the episodes to review; they are selected as in Episodes.
        </p>
      ) : (
        <QueueFacts project={project} queue={queue} />
      )}
      <Questions project={project} />
    </div>
  );
}

function QueueFacts({ project, queue }: { project: ProjectRow; queue: QueueRow }): ReactNode {
  const isOwner = useRole() === 'owner';
  const { review, decide, isBusy } = useNextItem(project.project, queue.queue);
  const { progress, agreement } = queue;
  const open = progress.conflicts - progress.adjudicated;
  return (
    <section className="stack-3" aria-label={`Queue ${queue.name}`}>
      <header className="wrap-2 centered">
        <h2>{queue.name}</h2>
        {queue.is_blind ? <Badge icon={<VenetianMask />}>blind</Badge> : null}
        {queue.hides_outcome ? <Badge icon={<EyeOff />}>outcome hidden</Badge> : null}
        <span className="grows" />
        {isOwner && open > 0 ? (
          <Button icon={<Gavel />} isBusy={isBusy} onClick={() => void decide()}>
            {`Decide ${formatCount(open, 'disagreement')}`}
          </Button>
        ) : null}
        {queue.free === 0 ? (
          <strong className="good">Nothing left for you to review</strong>
        ) : (
          <Button tone="primary" icon={<Play />} isBusy={isBusy} onClick={() => void review()}>
            {`Review ${String(queue.free)}`}
          </Button>
        )}
      </header>
      <progress
        className={styles.bar}
        value={progress.reviews_done}
        max={Math.max(1, progress.reviews_wanted)}
        aria-label="Reviews done"
      />
      <p className="quiet small">
        {`${String(progress.complete)} of ${formatCount(progress.items, queue.subject === 'pair' ? 'pair' : 'episode')} complete, `}
        {`${String(progress.reviews_done)} of ${formatCount(progress.reviews_wanted, 'review')}`}
        {progress.leased === 0 ? '' : `, ${String(progress.leased)} under review now`}
        {progress.conflicts === 0
          ? ''
          : `, reviewers disagree on ${String(progress.conflicts)} (${String(progress.adjudicated)} decided)`}
      </p>
      {progress.reviewers.length === 0 ? null : <Reviewers queue={queue} />}
      {agreement.length === 0 ? null : <Agreement project={project} agreement={agreement} />}
      {isOwner && agreement.length === 0 && progress.reviews_done > 0 ? (
        <p className="quiet small">Agreement appears once two reviewers have finished the same item.</p>
      ) : null}
    </section>
  );
}

/** Each reviewer's done and open items in a queue, and their time. */
function Reviewers({ queue }: { queue: QueueRow }): ReactNode {
  const people = usePeople();
  return (
    <Table
      caption="Reviewers"
      columns={['Reviewer', 'Done', 'Skipped', 'Later', 'Time per item']}
      rows={queue.progress.reviewers.map(
        ({ seat, assigned, done, skipped, postponed, median_ms: median }) => [
          <span key="who" title={seat}>
            {personName(people, seat)}
          </span>,
          assigned === null ? done : `${String(done)} of ${String(assigned)}`,
          skipped,
          postponed,
          <span key="time" title="Median active time per item">
            {median === null ? '–' : formatDuration(median)}
          </span>,
        ],
      )}
    />
  );
}

/** Fewer judgements than this say little, whatever comes out. */
const FEW_CHOICES = 10;

/** The usual reading of alpha; the number always stands beside it. */
function alphaLabel(alpha: number | null, units: number): string {
  if (alpha === null) return 'not enough data';
  if (units < FEW_CHOICES) return 'from few judgements';
  if (alpha >= 0.8) return 'reliable';
  if (alpha >= 0.667) return 'tentative';
  return alpha > 0 ? 'weak' : 'no better than chance';
}
const alphaText = (alpha: number | null): string => (alpha === null ? '–' : alpha.toFixed(2));
const shareText = (share: number | null): string =>
  share === null ? '–' : `${String(Math.round(share * 100))} %`;

type AgreementProps = { project: ProjectRow; agreement: readonly AgreementRow[] };

function Agreement({ project, agreement }: AgreementProps): ReactNode {
  return (
    <Table
      caption="Reviewer agreement, Krippendorff’s alpha: 1 is perfect, 0 is chance. Labels from 0.8 are usually considered reliable."
      columns={['Question', 'Alpha', 'Same', 'Judged twice', 'By label: alpha, times chosen']}
      rows={agreement.map(({ dimension: id, metric, values, alpha, same, units, options }) => {
        const dimension = project.dimensions.find((one) => one.id === id);
        const known = dimension !== undefined && 'options' in dimension ? dimension.options : [];
        return [
          dimension?.name ?? (id === PREFERENCE ? 'Which is better' : id),
          <span key="alpha" title={`${metric}, ${String(values)} values`}>
            {alphaText(alpha)} <span className="quiet small">{alphaLabel(alpha, units)}</span>
          </span>,
          shareText(same),
          units,
          <span key="labels" className={styles.byLabel}>
            {options
              .filter(({ chosen, overlap }) => chosen > 0 || overlap !== null)
              .map(({ option, overlap, chosen, alpha: own }) => (
                <span key={option}>
                  {known.find((one) => one.id === option)?.label ?? option}{' '}
                  {overlap === null
                    ? `${alphaText(own)}, ${String(chosen)}×`
                    : `overlap ${shareText(overlap)}`}
                </span>
              ))}
          </span>,
        ];
      })}
    />
  );
}

function Questions({ project: { dimensions, schema_version: version } }: { project: ProjectRow }): ReactNode {
  return (
    <details className={styles.fold}>
      <summary>
        {formatCount(dimensions.length, 'question')}{' '}
        <span className="quiet small">{`version ${String(version)}`}</span>
      </summary>
      <ul className="stack-2">
        {dimensions.map((dimension) => (
          <li key={dimension.id}>
            <strong>{dimension.name}</strong>{' '}
            <span className="quiet small">
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
