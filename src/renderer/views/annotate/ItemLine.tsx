// One line of a queue's list: what it is, how far it is, who has done what.
import { CircleCheck, Gavel } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ItemRow } from '../../../shared/contract/annotate.ts';
import { reviewRoute, formatRoute } from '../../state/route.ts';
import { personName, type Person } from '../../state/usePeople.ts';
import { taskName } from '../../parts/episode/episodeRowText.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { cx } from '../../ui/cx.ts';
import { formatDuration } from '../../ui/time.ts';
import * as styles from './QueueItems.module.css';

/** What is reviewed. */
export function itemName({ subject, episodes }: ItemRow): string {
  const names = episodes.map((row) => (row === null ? 'a missing episode' : taskName(row)));
  if (subject.type === 'episode') return names[0] ?? '';
  return names[0] === names[1] ? `${names[0] ?? ''}, two of it` : names.join(' and ');
}

type ReviewLabel = { seat: string; name: string; label: string; isDone: boolean };

const ITEM_STATE_LABELS: Readonly<Record<ItemRow['mine'], string>> = {
  open: 'not begun',
  leased: 'reviewing now',
  skipped: 'skipped',
  postponed: 'later',
  done: 'done',
};

/** Each reviewer it is for or who did something about it, and the time it took them. */
export function reviewLabels({ reviewers, seats }: ItemRow, people: readonly Person[]): ReviewLabel[] {
  const all = new Set([...reviewers, ...seats.map(({ seat }) => seat)]);
  return [...all].map((seat) => {
    const found = seats.find((one) => one.seat === seat);
    const state = found?.state ?? 'open';
    const time = found?.active_ms ?? null;
    const took = time === null ? '' : `, ${formatDuration(time)}`;
    return {
      seat,
      name: personName(people, seat),
      label: `${ITEM_STATE_LABELS[state]}${took}`,
      isDone: state === 'done',
    };
  });
}

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
          href={formatRoute(reviewRoute(at.project, at.queue, row.item))}
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
          <span key={seat} className={cx(isDone && 'good')} title={seat}>
            {isDone ? <CircleCheck aria-hidden="true" /> : null}
            <b>{who}</b> {label}
          </span>
        ))}
        {row.reviewers.length === 0 && row.seats.length === 0 ? 'no one yet' : null}
      </span>
      <span role="gridcell" className={styles.state}>
        {row.conflicts.open > 0 ? (
          <a tabIndex={-1} href={formatRoute(reviewRoute(at.project, at.queue, row.item, true))}>
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
