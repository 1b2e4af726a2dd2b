// One line of a queue's list.
import { CircleCheck, Gavel } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ItemRow } from '../../../shared/contract/annotate.ts';
import { annotateRoute, formatRoute } from '../../state/route.ts';
import type { Person } from '../../state/usePeople.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { cx } from '../../ui/cx.ts';
import { itemName, reviewLabels } from './itemLabels.ts';
import * as styles from './QueueItems.module.css';

type Props = {
  /** Undefined while it is on its way. */
  row: ItemRow | undefined;
  people: readonly Person[];
  at: { project: string; queue: string };
  isActive: boolean;
  isChosen: boolean;
  onChoose: () => void;
};

export function ItemLine({ row, people, at, isActive, isChosen, onChoose }: Props): ReactNode {
  if (row === undefined) return <div className={styles.line} role="gridcell" aria-busy="true" />;
  const name = itemName(row);
  return (
    <div className={cx(styles.line, isActive && styles.isActive, isChosen && styles.isChosen)}>
      <span role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={isChosen}
          onChange={onChoose}
          onClick={(event) => event.stopPropagation()}
        />
      </span>
      <span role="gridcell" className={styles.name}>
        <a
          tabIndex={-1}
          href={formatRoute(annotateRoute(at.project, at.queue, row.item))}
          title={row.episodes[0]?.task ?? undefined}
        >
          <TaskWords text={row.episodes[0]?.task ?? name} />
        </a>
      </span>
      <span role="gridcell" className={styles.task}>
        <TaskPlace place={name} episode={null} />
      </span>
      <span role="gridcell" className={styles.reviews}>
        {reviewLabels(row, people).map(({ seat, name: who, label, isDone }) => (
          <span key={seat} className={cx(isDone && styles.done)} title={seat}>
            {isDone ? <CircleCheck aria-hidden="true" /> : null}
            <b>{who}</b> {label}
          </span>
        ))}
        {row.reviewers.length === 0 && row.seats.length === 0 ? 'no one yet' : null}
      </span>
      <span role="gridcell" className={styles.state}>
        {row.conflicts.open > 0 ? (
          <a tabIndex={-1} href={formatRoute(annotateRoute(at.project, at.queue, row.item, true))}>
            <Gavel aria-hidden="true" /> {`decide ${String(row.conflicts.open)}`}
          </a>
        ) : row.is_complete ? (
          'complete'
        ) : (
          ''
        )}
      </span>
    </div>
  );
}
