// One queue at a glance: how far it is, who did how much, how far reviewers agree, what to decide.
import { EyeOff, Gavel, ListChecks, Play, VenetianMask } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProjectRow, QueueRow, AgreementRow } from '../../../shared/contract/annotate.ts';
import { useRole } from '../../state/role.ts';
import { annotateRoute, navigate, queueItemsRoute } from '../../state/route.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { alphaText, alphaLabel, shareText } from './fields.ts';
import * as styles from './Annotate.module.css';
import { ReviewersTable } from './ReviewersTable.tsx';

type Props = { project: ProjectRow; queue: QueueRow };

export function QueueCard({ project, queue }: Props): ReactNode {
  const isOwner = useRole() === 'owner';
  const { progress, agreement } = queue;
  const open = progress.conflicts - progress.adjudicated;
  const review = (): void => navigate(annotateRoute(project.project, queue.queue));
  const decide = (): void => navigate(annotateRoute(project.project, queue.queue, null, true));
  return (
    <section className={styles.queue} aria-label={`Queue ${queue.name}`}>
      <header className={styles.queueHead}>
        <h2>{queue.name}</h2>
        {queue.is_blind ? <Badge icon={<VenetianMask />}>blind</Badge> : null}
        {queue.hides_outcome ? <Badge icon={<EyeOff />}>outcome hidden</Badge> : null}
        <span className={styles.gap} />
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
      <Bar done={progress.reviews_done} all={progress.reviews_wanted} />
      <p className={styles.facts}>
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
        <p className={styles.facts}>Agreement appears once two reviewers have finished the same item.</p>
      ) : null}
    </section>
  );
}

function Bar({ done, all }: { done: number; all: number }): ReactNode {
  return (
    <progress className={styles.bar} value={done} max={Math.max(1, all)} aria-label="Reviews done">
      {`${String(done)} of ${String(all)}`}
    </progress>
  );
}

function Agreement({
  project,
  agreement,
}: {
  project: ProjectRow;
  agreement: readonly AgreementRow[];
}): ReactNode {
  return (
    <table className={styles.table} aria-label="Agreement">
      <caption>
        Reviewer agreement, Krippendorff’s alpha: 1 is perfect, 0 is chance. Labels from 0.8 are usually
        considered reliable.
      </caption>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Alpha</th>
          <th scope="col">Same</th>
          <th scope="col">Judged twice</th>
          <th scope="col">By label: alpha, times chosen</th>
        </tr>
      </thead>
      <tbody>
        {agreement.map((row) => (
          <tr key={row.dimension}>
            <th scope="row">{dimensionName(project, row.dimension)}</th>
            <td title={`${row.metric}, ${String(row.values)} values`}>
              {alphaText(row.alpha)} <span className={styles.facts}>{alphaLabel(row.alpha, row.units)}</span>
            </td>
            <td>{shareText(row.same)}</td>
            <td>{row.units}</td>
            <td className={styles.byLabel}>
              {row.options
                .filter(({ chosen, overlap }) => chosen > 0 || overlap !== null)
                .map((option) => (
                  <span key={option.option}>
                    {optionName(project, row.dimension, option.option)}{' '}
                    {option.overlap === null
                      ? `${alphaText(option.alpha)}, ${String(option.chosen)}×`
                      : `overlap ${shareText(option.overlap)}`}
                  </span>
                ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const dimensionName = ({ dimensions }: ProjectRow, id: string): string =>
  dimensions.find((one) => one.id === id)?.name ?? (id === 'preference' ? 'Which is better' : id);

function optionName({ dimensions }: ProjectRow, id: string, option: string): string {
  const dimension = dimensions.find((one) => one.id === id);
  const known = dimension !== undefined && 'options' in dimension ? dimension.options : [];
  return known.find((one) => one.id === option)?.label ?? option;
}
