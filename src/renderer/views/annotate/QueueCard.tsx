// One queue at a glance: how far it is, who did how much, how far reviewers agree, what to decide.
import { EyeOff, Gavel, ListChecks, Play, VenetianMask } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgreementRow, ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { PREFERENCE } from '../../../shared/annotate/agreement.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { useRole } from '../../state/role.ts';
import { reviewRoute, navigate, queueItemsRoute } from '../../state/route.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Table } from '../../ui/Table.tsx';
import { formatDuration } from '../../ui/time.ts';
import { formatCount } from '../../parts/text/size.ts';
import * as styles from './Annotate.module.css';

type Props = { project: ProjectRow; queue: QueueRow };

export function QueueCard({ project, queue }: Props): ReactNode {
  const isOwner = useRole() === 'owner';
  const { progress, agreement } = queue;
  const open = progress.conflicts - progress.adjudicated;
  const review = (): void => navigate(reviewRoute(project.project, queue.queue));
  const decide = (): void => navigate(reviewRoute(project.project, queue.queue, null, true));
  return (
    <section className={styles.queue} aria-label={`Queue ${queue.name}`}>
      <header className={styles.queueHead}>
        <h2>{queue.name}</h2>
        {queue.is_blind ? <Badge icon={<VenetianMask />}>blind</Badge> : null}
        {queue.hides_outcome ? <Badge icon={<EyeOff />}>outcome hidden</Badge> : null}
        <span className="grows" />
        {isOwner ? (
          <Button
            icon={<ListChecks />}
            onClick={() => navigate(queueItemsRoute(project.project, queue.queue))}
          >
            Items
          </Button>
        ) : null}
        {isOwner && open > 0 ? (
          <Button icon={<Gavel />} onClick={decide}>
            {`Decide ${formatCount(open, 'disagreement')}`}
          </Button>
        ) : null}
        <Button tone="primary" icon={<Play />} isDisabled={queue.free === 0} onClick={review}>
          {queue.free === 0 ? 'Nothing left to review' : `Review ${String(queue.free)}`}
        </Button>
      </header>
      <progress
        className={styles.bar}
        value={progress.reviews_done}
        max={Math.max(1, progress.reviews_wanted)}
        aria-label="Reviews done"
      />
      <p className="quiet regular small">
        {`${String(progress.complete)} of ${formatCount(progress.items, queue.subject === 'pair' ? 'pair' : 'episode')} complete, `}
        {`${String(progress.reviews_done)} of ${formatCount(progress.reviews_wanted, 'review')}`}
        {progress.leased === 0 ? '' : `, ${String(progress.leased)} under review now`}
        {progress.conflicts === 0
          ? ''
          : `, reviewers differ on ${String(progress.conflicts)} (${String(progress.adjudicated)} decided)`}
      </p>
      {progress.reviewers.length === 0 ? null : <ReviewersTable queue={queue} />}
      {agreement.length === 0 ? null : <Agreement project={project} agreement={agreement} />}
      {isOwner && agreement.length === 0 && progress.reviews_done > 0 ? (
        <p className="quiet regular small">
          Agreement appears once two reviewers have finished the same item.
        </p>
      ) : null}
    </section>
  );
}

/** What each reviewer of a queue has done, has left, and how long they take. */
export function ReviewersTable({ queue }: { queue: QueueRow }): ReactNode {
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

/** How alpha is usually read; the number always stands beside it. */
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
            {alphaText(alpha)} <span className="quiet regular small">{alphaLabel(alpha, units)}</span>
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
