// The list beside the live view: what runs, and what has just ended, so that nothing vanishes from under a reader. As
// cards it takes the whole view, and each episode shows its strip.
import { Activity, Hourglass, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { z } from 'zod';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { countText } from '../../../shared/countText.ts';
import { stripLabel } from '../../../shared/episode/rows.ts';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { StripChart } from '../../parts/episode/StripChart.tsx';
import { useConsole, useKeys, usePane, useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import type { Pane } from '../../state/store.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Segments } from '../../ui/Segments.tsx';
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

const Density = z.enum(['rows', 'cards']);
type Density = z.infer<typeof Density>;

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
  const { kept: choices } = useSession();
  const [density, setDensity] = useState(() => choices.read('live-density', Density, 'rows'));
  const areCards = episode === null && density === 'cards';
  const cards = useCards(rows);
  const show = (row: EpisodeRow | undefined | null): void => {
    if (row !== undefined && row !== null) navigate({ view: 'live', episode: row.id });
  };
  useKeys('live', {
    'live.next': () => (areCards ? focusCard(root, 1) : show(rows[Math.min(rows.length - 1, active + 1)])),
    'live.previous': () => (areCards ? focusCard(root, -1) : show(rows[Math.max(0, active - 1)])),
    'pane.list': () => change({ ...pane, isCollapsed: !pane.isCollapsed }),
  });
  const first = episode === null && !areCards ? (firstToShow(rows)?.id ?? null) : null;
  useEffect(() => {
    if (first !== null) navigate({ view: 'live', episode: first }, { replace: true });
  }, [first]);

  const choice = (
    <Segments
      label="Show the running episodes as"
      options={[
        { value: 'rows', label: 'Rows' },
        { value: 'cards', label: 'Cards' },
      ]}
      value={areCards ? 'cards' : 'rows'}
      onChoose={(next: Density) => {
        setDensity(next);
        choices.write('live-density', next);
        if (next === 'cards') navigate({ view: 'live', episode: null });
      }}
    />
  );
  const list = (
    <section className={styles.list} aria-label="Running episodes">
      <header className={styles.head}>
        <h2>Running and recently ended</h2>
        {choice}
      </header>
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
      ) : areCards && rows.length > 0 ? (
        <LiveCards {...cards} choice={choice} />
      ) : areLoaded ? (
        <NothingRuns />
      ) : (
        <Skeleton rows={6} label="Loading running episodes" />
      )}
    </div>
  );
}

/** Older ones that have ended are in the library. */
const ENDED_MAX = 64;

type Cards = { rows: readonly EpisodeRow[]; onClear: (ids: readonly string[]) => void };

/** In the order of their starts, so that none moves: who ended stays until it is cleared, and who is new comes last. */
function useCards(rows: readonly EpisodeRow[]): Cards {
  const [cleared, setCleared] = useState<ReadonlySet<string>>(() => new Set(endedIds(rows).slice(ENDED_MAX)));
  return {
    rows: useMemo(() => rows.filter(({ id }) => !cleared.has(id)).toReversed(), [rows, cleared]),
    onClear: (ids) => setCleared(new Set([...cleared, ...ids])),
  };
}

const endedIds = (rows: readonly EpisodeRow[]): string[] =>
  rows.filter(({ status }) => status === 'ended').map(({ id }) => id);

function focusCard(root: RefObject<HTMLElement | null>, step: number): void {
  const cards = [...(root.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  const at = cards.findIndex((card) => card === document.activeElement);
  cards[Math.max(0, Math.min(cards.length - 1, at + step))]?.focus();
}

function LiveCards({ rows, onClear, choice }: Cards & { choice: ReactNode }): ReactNode {
  const ended = endedIds(rows);
  const waiting = rows.filter(({ status }) => status === 'waiting').length;
  const counts = [
    `${String(waiting)} waiting`,
    `${String(rows.length - waiting - ended.length)} running`,
    ...(ended.length === 0 ? [] : [`${String(ended.length)} finished`]),
  ];
  return (
    <section className={styles.list} aria-label="Running episodes">
      <header className={styles.head}>
        <h1 className="quiet-label">Running episodes</h1>
        <p role="status">{counts.join(' · ')}</p>
        {ended.length === 0 ? null : (
          <Button size="small" tone="quiet" onClick={() => onClear(ended)}>
            {`Clear ${String(ended.length)} finished`}
          </Button>
        )}
        {choice}
      </header>
      <ul className={styles.cards}>
        {rows.map((row) => (
          <LiveCard key={row.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

const LiveCard = memo(function LiveCard({ row }: { row: EpisodeRow }): ReactNode {
  const { id, status, strip, tool_errors: errors, waiting_since: since } = row;
  const outcome = useOutcome(row);
  return (
    <li className={cx(styles.card, status === 'waiting' && styles.isWaiting)}>
      <a
        className={styles.link}
        href={formatRoute({ view: 'live', episode: id })}
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

function LiveRow({ row, isActive }: { row: EpisodeRow | undefined; isActive: boolean }): ReactNode {
  const outcome = useOutcome(row ?? null);
  if (row === undefined) return null;
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
        <RowState row={row} outcome={outcome} />
        <RowTurns row={row} outcome={outcome} />
        <AgainActs row={row} />
      </div>
    </div>
  );
}

type StateProps = { row: EpisodeRow; outcome: ReturnType<typeof useOutcome> };

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
