// Running and recently ended episodes as cards: each shows what it was asked, how it goes, and its strip of turns.
import { Activity, Hourglass, TriangleAlert } from 'lucide-react';
import { memo, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import { countText } from '../../../shared/countText.ts';
import { stripLabel } from '../../../shared/episode/rows.ts';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import {
  matchesFilter,
  rowOutcome,
  rowStatus,
  rowWords,
  saysState,
  taskName,
  type EpisodeListFilter,
} from '../../parts/episode/episodeRowText.ts';
import { StripChart } from '../../parts/episode/StripChart.tsx';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useConsole, useKeys } from '../../state/hooks.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './EpisodeCards.module.css';

/** Of those that have ended; older ones stand in the rows. */
const ENDED_MAX = 64;

/**
 * Those that the filter shows, in the order of their starts, so that none moves: who ended stays until it is cleared, and
 * who is new comes last.
 */
export function EpisodeCards({ filter }: { filter: EpisodeListFilter }): ReactNode {
  const byId = useConsole(({ record }) => record.rows);
  const areLoaded = useConsole(({ record }) => record.areRowsLoaded);
  const [cleared, setCleared] = useState<ReadonlySet<string>>(() => new Set());
  const rows = useMemo(
    () => cardRows(byId, filter).filter(({ id }) => !cleared.has(id)),
    [byId, filter, cleared],
  );
  const cards = useRef<HTMLUListElement>(null);
  useKeys({ down: () => focusCard(cards, 1), up: () => focusCard(cards, -1) });
  if (!areLoaded) return <Skeleton rows={6} height={100} label="Loading the episodes" />;
  if (rows.length === 0)
    return (
      <EmptyState icon={<Activity />} title="Nothing running">
        Running and recently ended episodes stand here as cards. All others are in the rows.
      </EmptyState>
    );
  const ended = rows.filter(({ status }) => status === 'ended').map(({ id }) => id);
  const waiting = rows.filter(({ status }) => status === 'waiting').length;
  const counts = [
    `${String(waiting)} waiting`,
    `${String(rows.length - waiting - ended.length)} running`,
    ...(ended.length === 0 ? [] : [`${String(ended.length)} finished`]),
  ];
  return (
    <>
      <div className={styles.head}>
        <p role="status">{counts.join(' · ')}</p>
        {ended.length === 0 ? null : (
          <Button size="small" tone="quiet" onClick={() => setCleared(new Set([...cleared, ...ended]))}>
            {`Clear ${String(ended.length)} finished`}
          </Button>
        )}
      </div>
      <ul ref={cards} className={styles.cards} aria-label="Running and recently ended episodes">
        {rows.map((row) => (
          <EpisodeCard key={row.id} row={row} />
        ))}
      </ul>
    </>
  );
}

/** Every running episode that the filter shows, and the newest that have ended; oldest first. */
export function cardRows(rows: ReadonlyMap<string, EpisodeRow>, filter: EpisodeListFilter): EpisodeRow[] {
  const newestFirst = [...rows.values()]
    .filter((row) => matchesFilter(row, filter))
    .toSorted((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));
  const older = new Set(newestFirst.filter(({ status }) => status === 'ended').slice(ENDED_MAX));
  return newestFirst.filter((row) => !older.has(row)).toReversed();
}

function focusCard(root: RefObject<HTMLElement | null>, step: number): void {
  const cards = [...(root.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  const at = cards.findIndex((card) => card === document.activeElement);
  cards[Math.max(0, Math.min(cards.length - 1, at + step))]?.focus();
}

const EpisodeCard = memo(function EpisodeCard({ row }: { row: EpisodeRow }): ReactNode {
  const { id, status, strip, tool_errors: errors, waiting_since: since } = row;
  const outcome = rowOutcome(row);
  return (
    <li className={cx(styles.card, status === 'waiting' && styles.isWaiting)}>
      <a
        className={styles.link}
        href={formatRoute(episodeRoute(id))}
        data-card={id}
        title={strip === '' ? undefined : stripLabel(strip)}
      >
        <span className={styles.words}>
          <TaskWords text={rowWords(row)} lines={2} />
        </span>
        <span className={styles.line}>
          <TaskPlace place={taskName(row)} episode={id} />
          {since === null ? null : (
            <span className={styles.waits}>
              <Hourglass aria-hidden="true" />
              <span className="quiet-label">waiting for a person since </span>
              <RelativeTime at={since} />
            </span>
          )}
        </span>
        <StripChart strip={strip} />
        <span className={styles.line}>
          <RowState row={row} outcome={outcome} />
          {errors === 0 || status === 'ended' ? null : (
            <span className={styles.quiet}>
              <TriangleAlert aria-hidden="true" />
              {countText(errors, 'error')}
            </span>
          )}
          <RowTurns row={row} outcome={outcome} />
        </span>
      </a>
      <span className={styles.acts}>
        <AgainActs row={row} />
      </span>
    </li>
  );
});

type StateProps = { row: EpisodeRow; outcome: ReturnType<typeof rowOutcome> };

function RowState({ row, outcome }: StateProps): ReactNode {
  const { tone, label } = rowStatus(row);
  return saysState(row, outcome) ? (
    <span className={cx(styles.state, row.status === 'waiting' && styles.waits)} title={label}>
      <StatusDot tone={tone} label={label} />
    </span>
  ) : (
    <OutcomeOrHidden outcome={outcome} detail="word" />
  );
}

const RowTurns = ({ row: { turns, turn_limit: limit }, outcome }: StateProps): ReactNode =>
  outcome === null ? (
    <span
      className={styles.quiet}
    >{`turn ${String(turns)}${limit === null ? '' : `/${String(limit)}`}`}</span>
  ) : null;
