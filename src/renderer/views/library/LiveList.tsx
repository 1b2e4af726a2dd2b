// The list beside the live view: what runs, and what has just ended, so that nothing vanishes from under a reader.
import { Activity } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { useConsole, useKeys, usePane } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { navigate } from '../../state/route.ts';
import type { Pane } from '../../state/store.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { VirtualList } from '../../ui/VirtualList.tsx';
import { StartButton } from './LibraryView.tsx';
import * as styles from './LiveList.module.css';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import {
  rowOutcome,
  rowStatus,
  rowWords,
  saysState,
  seatOutcome,
  taskName,
} from '../../parts/episode/episodeRowText.ts';

/** Of a row whose title takes both its lines; a shorter one is as high as its text. */
const LIVE_ROW_HEIGHT = 96;
/** Narrower than this, the list makes room for the episode until it is asked for. */
const LIVE_NARROW_PX = 760;

/** Newest first; the order never changes while episodes move on. */
export const liveRows = (rows: ReadonlyMap<string, EpisodeRow>): EpisodeRow[] =>
  [...rows.values()].toSorted((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));

/** Which episode to show first: the one that waits longest on a person, else the newest that runs, else the newest. */
export function firstToShow(rows: readonly EpisodeRow[]): EpisodeRow | null {
  const waiting = rows
    .filter((row) => row.status === 'waiting')
    .toSorted((a, b) => a.updated_at - b.updated_at);
  return waiting[0] ?? rows.find((row) => row.status !== 'ended') ?? rows[0] ?? null;
}

type LiveListProps = { episode: string | null; children: (episode: string) => ReactNode };

export function LiveList({ episode, children }: LiveListProps): ReactNode {
  const [kept, setPane] = usePane('live', 264);
  const root = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(root) < LIVE_NARROW_PX;
  const [isListing, setIsListing] = useState(false);
  const pane = isNarrow ? { ...kept, isCollapsed: !isListing } : kept;
  const change = (next: Pane): void => {
    if (isNarrow) setIsListing(!next.isCollapsed);
    else setPane(next);
  };
  const byId = useConsole(({ record }) => record.rows);
  const areLoaded = useConsole(({ record }) => record.areRowsLoaded);
  const rows = useMemo(() => liveRows(byId), [byId]);
  const active = rows.findIndex((row) => row.id === episode);
  const show = (row: EpisodeRow | undefined | null): void => {
    if (row !== undefined && row !== null) navigate({ view: 'live', episode: row.id });
  };
  useKeys('live', {
    'live.next': () => show(rows[Math.min(rows.length - 1, active + 1)]),
    'live.previous': () => show(rows[Math.max(0, active - 1)]),
    'pane.list': () => change({ ...pane, isCollapsed: !pane.isCollapsed }),
  });
  const first = episode === null ? (firstToShow(rows)?.id ?? null) : null;
  useEffect(() => {
    if (first !== null) navigate({ view: 'live', episode: first }, { replace: true });
  }, [first]);

  const list = (
    <section className={styles.list} aria-label="Running episodes">
      <h2 className={styles.head}>Running and recently ended</h2>
      {rows.length === 0 ? (
        <p className={styles.none}>Nothing running.</p>
      ) : (
        <VirtualList
          label="Running episodes"
          role="grid"
          count={rows.length}
          rowHeight={LIVE_ROW_HEIGHT}
          isMeasured
          rowKey={(index) => rows[index]?.id ?? index}
          renderRow={(index) => <LiveRow row={rows[index]} isActive={index === active} />}
          activeIndex={active}
          onActivate={(index) => {
            show(rows[index]);
            setIsListing(false);
          }}
        />
      )}
    </section>
  );
  return (
    <div ref={root} className={styles.root}>
      {episode !== null ? (
        <SplitPane
          label="Running episodes"
          side="start"
          pane={pane}
          onPane={change}
          min={200}
          max={420}
          content={list}
        >
          {children(episode)}
        </SplitPane>
      ) : areLoaded ? (
        <NothingRuns />
      ) : (
        <Skeleton rows={6} label="Loading running episodes" />
      )}
    </div>
  );
}

function LiveRow({ row, isActive }: { row: EpisodeRow | undefined; isActive: boolean }): ReactNode {
  const outcome = useOutcome(row ?? null);
  if (row === undefined) return null;
  const status = rowStatus(row);
  return (
    <div role="gridcell" className={cx(styles.row, isActive && styles.isActive)}>
      <div className={styles.words}>
        <TaskWords lines={2} text={rowWords(row)} />
      </div>
      <div className={styles.line}>
        <TaskPlace place={taskName(row)} episode={row.id} />
        <span className={styles.quiet}>
          <RelativeTime at={row.started_at} />
        </span>
      </div>
      <div className={styles.line}>
        {saysState(row, outcome) ? (
          <span className={cx(styles.state, row.status === 'waiting' && styles.waits)} title={status.label}>
            <StatusDot tone={status.tone} label={status.label} />
          </span>
        ) : (
          <OutcomeOrHidden outcome={outcome} detail="word" />
        )}
        {outcome === null ? (
          <span className={styles.quiet}>
            turn {row.turns}
            {row.turn_limit === null ? '' : `/${String(row.turn_limit)}`}
          </span>
        ) : null}
        <AgainActs row={row} />
      </div>
    </div>
  );
}

/** How it went, as far as this seat's list may say it. */
function useOutcome(row: EpisodeRow | null) {
  const isExpert = useRole() === 'expert';
  const opened = useConsole(({ record }) =>
    isExpert ? (record.episodes[row?.id ?? '']?.record ?? null) : null,
  );
  if (row === null) return null;
  return isExpert ? seatOutcome(row, opened) : rowOutcome(row);
}

function NothingRuns(): ReactNode {
  return (
    <EmptyState icon={<Activity />} title="Nothing running" action={<StartButton tone="primary" />}>
      Start an episode to watch it here, turn by turn. Ended episodes are in the{' '}
      <a href="#/library">library</a>.
    </EmptyState>
  );
}
