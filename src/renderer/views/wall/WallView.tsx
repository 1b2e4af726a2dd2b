// Many live episodes at a glance: a tile each with its strip, who waits and how long. Reads rows only, no records.
import { Hourglass, LayoutGrid, TriangleAlert, X } from 'lucide-react';
import { memo, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { countText } from '../../../shared/countText.ts';
import { STRIP, type StripChar } from '../../../shared/episode/rows.ts';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import { rowOutcome, rowStatus, rowWords, saysState, taskName } from '../../parts/episode/episodeRowText.ts';
import { StripChart } from '../../parts/episode/StripChart.tsx';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useConsole, useKeys, useSelected } from '../../state/hooks.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Wall.module.css';
import { keepPlaces, neighbour, nextWaiting, wallLabel, type Direction } from './wallModel.ts';

export function WallView(): ReactNode {
  const byId = useConsole(({ record }) => record.rows);
  const areLoaded = useConsole(({ record }) => record.areRowsLoaded);
  const { rows, dismiss } = usePlaces(byId, areLoaded);
  const [selected, select] = useSelected('wall');
  const grid = useRef<HTMLUListElement>(null);
  const active = rows.findIndex(({ id }) => id === selected);
  const activeId = rows[active]?.id ?? rows[0]?.id ?? null;
  const wanted = useRef<string | null>(null);
  const go = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    wanted.current = row.id;
    select(row.id);
    if (row.id === selected) focusTile(grid.current, row.id);
  };
  useEffect(() => {
    if (wanted.current === null || wanted.current !== selected) return;
    wanted.current = null;
    focusTile(grid.current, selected);
  }, [selected]);
  const move = (direction: Direction) => (): void =>
    go(neighbour(active, direction, rows.length, columnsOf(grid.current)));
  useKeys('wall', {
    'wall.left': move('left'),
    'wall.right': move('right'),
    'wall.up': move('up'),
    'wall.down': move('down'),
    'wall.first': move('first'),
    'wall.last': move('last'),
    'wall.waiting': () => go(nextWaiting(rows, active)),
    'wall.open': () => (activeId === null ? undefined : navigate({ view: 'live', episode: activeId })),
  });
  const onSelect = useCallback((id: string) => select(id), [select]);
  if (rows.length === 0) {
    return areLoaded ? (
      <EmptyState icon={<LayoutGrid />} title="Nothing running">
        Running episodes appear here, each as a strip of its turns. Ended episodes are in the{' '}
        <a href="#/library">library</a>.
      </EmptyState>
    ) : (
      <Skeleton rows={8} height={80} label="Loading running episodes" />
    );
  }
  return (
    <section className={styles.wall} aria-label="Episodes on the wall">
      <h1 className="quiet-label">Wall</h1>
      <header className={styles.head}>
        <p role="status">{wallLabel(rows)}</p>
        <ClearFinished rows={rows} dismiss={dismiss} />
        <WallLegend />
      </header>
      <ul className={styles.grid} ref={grid}>
        {rows.map((row) => (
          <Tile
            key={row.id}
            row={row}
            isReachable={row.id === activeId}
            onSelect={onSelect}
            dismiss={dismiss}
          />
        ))}
      </ul>
    </section>
  );
}

type Dismiss = (ids: readonly string[]) => void;

/** The tiles in their places, kept while the wall is open. */
function usePlaces(
  byId: ReadonlyMap<string, EpisodeRow>,
  areLoaded: boolean,
): { rows: EpisodeRow[]; dismiss: Dismiss } {
  const [kept, setKept] = useState<readonly string[] | null>(null);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const places = useMemo(
    () => (areLoaded ? keepPlaces(kept, byId, dismissed) : []),
    [areLoaded, kept, byId, dismissed],
  );
  if (areLoaded && places !== kept) setKept(places);
  const rows = useMemo(() => places.flatMap((id) => byId.get(id) ?? []), [places, byId]);
  const dismiss = useCallback<Dismiss>((ids) => setDismissed((gone) => new Set([...gone, ...ids])), []);
  return { rows, dismiss };
}

function ClearFinished({ rows, dismiss }: { rows: readonly EpisodeRow[]; dismiss: Dismiss }): ReactNode {
  const ended = rows.filter(({ status }) => status === 'ended').map(({ id }) => id);
  return ended.length === 0 ? null : (
    <Button size="small" tone="quiet" onClick={() => dismiss(ended)}>
      {`Clear ${String(ended.length)} finished`}
    </Button>
  );
}

const focusTile = (grid: HTMLElement | null, id: string): void =>
  grid?.querySelector<HTMLElement>(`[data-tile="${CSS.escape(id)}"]`)?.focus();

/** As many as the layout made. */
const columnsOf = (grid: HTMLElement | null): number =>
  grid === null ? 1 : getComputedStyle(grid).gridTemplateColumns.split(' ').length;

type TileProps = {
  row: EpisodeRow;
  isReachable: boolean;
  onSelect: (id: string) => void;
  dismiss: Dismiss;
};

const Tile = memo(function Tile({ row, isReachable, onSelect, dismiss }: TileProps): ReactNode {
  const { id, status, strip, turns, turn_limit: limit, tool_errors: errors, waiting_since: since } = row;
  const { tone, label } = rowStatus(row);
  const outcome = rowOutcome(row);
  const hasFailed = outcome !== null && outcome !== 'hidden' && outcome.kind === 'failed';
  return (
    <li
      className={cx(
        styles.tile,
        status === 'waiting' && styles.waits,
        status === 'ended' && styles.ended,
        hasFailed && styles.failed,
      )}
    >
      <a
        className={styles.link}
        href={formatRoute({ view: 'live', episode: id })}
        data-tile={id}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => onSelect(id)}
      >
        <span className={styles.words}>
          <TaskWords text={rowWords(row)} lines={2} />
        </span>
        <span className={styles.line}>
          <TaskPlace place={taskName(row)} episode={id} />
          {since === null ? null : (
            <span className={styles.since}>
              <Hourglass aria-hidden="true" />
              <span className="quiet-label">waiting for a person since </span>
              <RelativeTime at={since} />
            </span>
          )}
        </span>
        <span className={styles.strip}>
          <StripChart strip={strip} />
        </span>
        <span className={styles.line}>
          {/* Running is the rule here: only what waits or failed has a colour. */}
          {saysState(row) ? (
            <StatusDot tone={tone === 'running' ? 'idle' : tone} label={label} />
          ) : (
            <OutcomeOrHidden outcome={outcome} detail="word" />
          )}
          {errors === 0 || status === 'ended' ? null : (
            <span className={styles.errors} title={countText(errors, 'error')}>
              <TriangleAlert aria-hidden="true" />
              {errors}
              <span className="quiet-label">{errors === 1 ? ' error' : ' errors'}</span>
            </span>
          )}
          {status === 'ended' ? null : (
            <span className={styles.turns}>
              <span className="quiet-label">turn </span>
              {`${String(turns)}${limit === null ? '' : `/${String(limit)}`}`}
            </span>
          )}
        </span>
      </a>
      {status === 'ended' ? (
        <span className={styles.acts}>
          <AgainActs row={row} />
          <IconButton label="Dismiss from the wall" icon={<X />} onClick={() => dismiss([id])} />
        </span>
      ) : null}
    </li>
  );
});

const LEGEND: readonly StripChar[] = ['o', 'x', 'a', 'h', 'w', 'f'];

function WallLegend(): ReactNode {
  return (
    <details className={styles.legend}>
      <summary>What the bars mean</summary>
      <ul aria-label="Legend">
        {LEGEND.map((char) => (
          <li key={char}>
            <span className={styles.sample} aria-hidden="true">
              <StripChart strip={char.repeat(3)} />
            </span>
            {STRIP[char]}
          </li>
        ))}
      </ul>
    </details>
  );
}
