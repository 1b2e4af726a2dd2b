// The head of a card: how long it waits and until when, why, and which episode it is of.
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useNow } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import * as styles from './DecisionCard.module.css';
import { deadlineOf, draftStateOf, type Deadline } from './deadline.ts';

type CardHeadProps = {
  /** Since when it waits; null where it no longer does. */
  since: number | null;
  /** How long it may wait; left out where it may wait for good. */
  deadlineFrom?: (now: number) => Deadline;
  why?: ReactNode;
  place: ReactNode;
};

export function CardHead({ since, deadlineFrom, why, place }: CardHeadProps): ReactNode {
  return (
    <>
      <div className={styles.words}>
        {since === null ? null : <Wait since={since} deadlineFrom={deadlineFrom} />}
        <p className="quiet small">{place}</p>
      </div>
      {why}
      {since === null || deadlineFrom === undefined ? null : <DeadlineBar deadlineFrom={deadlineFrom} />}
    </>
  );
}

type WaitProps = { since: number; deadlineFrom: CardHeadProps['deadlineFrom'] };

function Wait({ since, deadlineFrom }: WaitProps): ReactNode {
  const now = useNow();
  const deadline = deadlineFrom?.(now) ?? null;
  return (
    <>
      <strong className={styles.age} title={formatMoment(since)}>
        Waiting {formatDuration(Math.max(1000, now - since))}
      </strong>
      {deadline === null ? null : (
        <span className={cx((deadline.isUrgent || deadline.isExecuting) && styles.isUrgent)}>
          {deadline.text}
        </span>
      )}
    </>
  );
}

const DeadlineBar = ({ deadlineFrom }: { deadlineFrom: (now: number) => Deadline }): ReactNode => (
  <TimeLeft deadline={deadlineFrom(useNow())} />
);

/** The bar that drains towards what happens at the deadline; thin, and for the eye alone, in a line of a list. */
function TimeLeft({ deadline, isThin = false }: { deadline: Deadline; isThin?: boolean }): ReactNode {
  const { left, isUrgent, isExecuting } = deadline;
  if (left === null) return null;
  return (
    <progress
      className={cx(styles.bar, isThin && styles.thin, (isUrgent || isExecuting) && styles.isUrgentBar)}
      value={left}
      max={1}
      {...(isThin ? { 'aria-hidden': true } : { 'aria-label': 'Time left' })}
    />
  );
}

export function DeadlineLine({ item }: { item: DeskItem }): ReactNode {
  return <TimeLeft deadline={deadlineOf(item, draftStateOf(item), useNow())} isThin />;
}

type Place = Pick<DeskItem, 'scenario' | 'task_idx' | 'turn' | 'turn_limit'>;

export const outOf = (count: number, limit: number | null): string =>
  `${String(count)}${limit === null ? '' : ` of ${String(limit)}`}`;

/** `orders_1 #0 · turn 4 of 15` */
export const placeOf = ({ scenario, task_idx, turn, turn_limit }: Place): string =>
  `${scenario ?? 'no scenario'}${task_idx === null ? '' : ` #${String(task_idx)}`} · turn ${outOf(turn, turn_limit)}`;
