// The state of the world beside a timeline: what differs from the start, the tables, their rows.
import { ArrowLeft, ChevronLeft, ChevronRight, DatabaseZap } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { z } from 'zod';
import type { StateTable, TablePage } from '../../../shared/contract/state.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { seedProblemText } from '../../../shared/seed.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Cover } from '../../ui/Cover.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useAsk } from '../../state/queries.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { formatCount } from '../text/size.ts';
import { isDatabaseWorld } from './isDatabaseWorld.ts';
import {
  cellText,
  type ChangedCell,
  changedRows,
  Changes,
  CoveredChanges,
  rowsText,
  tableChangeText,
} from './Changes.tsx';
import * as styles from './World.module.css';

type WorldPanelProps = { record: EpisodeRecord; isReplay: boolean };

const OPENED = 'worlds';
/** So many episodes stay opened in a tab. */
const OPENED_MAX = 50;

export function WorldPanel(props: WorldPanelProps): ReactNode {
  if (isDatabaseWorld(props.record)) return <DatabaseWorld {...props} />;
  return (
    <EmptyState icon={<DatabaseZap />} title="This environment has no database to show">
      What each call returned is in the timeline.
    </EmptyState>
  );
}

/** True if the world that an episode left behind can be compared with the one it began in. */
export const hasWorldAtEnd = (record: EpisodeRecord): boolean =>
  record.ended !== null && record.started?.source === 'run' && isDatabaseWorld(record);

/** Changes to its world by an episode that is over. */
export function WorldAtEnd({ record: { id, turns } }: { record: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  return (
    <section className={styles.panel} aria-label="The world at the end">
      <CoveredChanges
        what="Show what changed in the world"
        read={() => call('state.tables', { episode: id, turn: lastReturned(turns) })}
        label={(rows, count) =>
          count === 0 ? 'Nothing changed in the world' : `Changed in the world: ${rows}`
        }
      />
    </section>
  );
}

/** Opened for an episode, it stays open in this tab. */
function DatabaseWorld(props: WorldPanelProps): ReactNode {
  const { own } = useSession();
  const { id } = props.record;
  const opened = (): string[] => own.read(OPENED, z.array(z.string()), []);
  const [isOpened, setIsOpened] = useState(() => opened().includes(id));
  const open = (): void => {
    own.write(OPENED, [id, ...opened()].slice(0, OPENED_MAX));
    setIsOpened(true);
  };
  if (isOpened) return <OpenWorld {...props} />;
  return (
    <section className={styles.panel} aria-label="State of the world">
      <p className={styles.note}>
        The agent cannot read the world’s database. Advice given after you look at it is marked.
      </p>
      <Cover what="Show the state of the world" onShow={open} />
    </section>
  );
}

function OpenWorld({ record, isReplay }: WorldPanelProps): ReactNode {
  const turn = stateTurn(record, isReplay);
  const revision = stateRevision(record);
  // A state that takes a session of its own is read when a person asks for it, not after every call.
  const isElsewhere = record.started !== null && !kindOf(record.started.environment).isPartOfProduct;
  const [readAt, setReadAt] = useState(revision);
  const isOver = record.ended !== null;
  const news = isElsewhere ? `${String(readAt)} ${String(isOver)}` : revision;
  const { world, isLoading, failure } = useWorld(record.id, turn, turn === null ? news : 0);
  const [table, setTable] = useState<string | null>(null);
  if (failure !== null) return <Unreadable failure={failure} />;
  if (world === null) return <Skeleton rows={8} height={20} label="Reading the state of the world" />;
  const chosen = world.tables.find(({ name }) => name === table) ?? null;
  return (
    <section className={styles.panel} aria-label="State of the world" aria-busy={isLoading}>
      <p className="soft small" role="status">
        {worldPlaceLabel(record, turn, world)}
      </p>
      <Stale
        record={record}
        turn={turn}
        world={world}
        isLoading={isLoading}
        onAgain={() => setReadAt(revision)}
      />
      <SeedProblems world={world} />
      {chosen === null ? (
        <Overview world={world} onTable={setTable} />
      ) : (
        <TablePages
          key={chosen.name}
          episode={record.id}
          turn={world.at_turn ?? turn}
          revision={world.at_turn === undefined && turn === null ? revision : 0}
          table={chosen}
          onBack={() => setTable(null)}
        />
      )}
    </section>
  );
}

function Overview({ world, onTable }: { world: World; onTable: (name: string) => void }): ReactNode {
  const { tables, changes } = world;
  const keys = useMemo(() => new Map(tables.map(({ name, keys: named }) => [name, named])), [tables]);
  const changed = new Map(changes.map((change) => [change.table, tableChangeText(change)]));
  return (
    <>
      <h3 className={styles.title}>
        {changes.length === 0
          ? 'No changes since the start'
          : `${rowsText(changedRows(changes))} changed since the start`}
      </h3>
      <Changes changes={changes} keys={keys} />
      <h3 className={styles.title}>{formatCount(tables.length, 'table')}</h3>
      <ul className={styles.tables}>
        {tables.map((table) => (
          <TableLine
            key={table.name}
            table={table}
            changed={changed.get(table.name) ?? null}
            onOpen={() => onTable(table.name)}
          />
        ))}
      </ul>
    </>
  );
}

function TableLine({
  table: { name, rows, columns },
  changed,
  onOpen,
}: {
  table: StateTable;
  changed: string | null;
  onOpen: () => void;
}): ReactNode {
  return (
    <li className={styles.tableLine}>
      <Button size="small" tone="quiet" onClick={onOpen}>
        <code>{name}</code>
      </Button>
      <span className={styles.quiet}>{`${rowsText(rows)}, ${formatCount(columns.length, 'column')}`}</span>
      {changed === null ? null : <strong className={styles.changed}>{changed}</strong>}
    </li>
  );
}

/** The name of this state, and a note if it may not be the one that was. */
function worldPlaceLabel(record: EpisodeRecord, turn: number | null, world: World): string {
  const { drift, source } = world;
  if (source === 'left')
    return `${turn === 0 ? 'At the start' : 'At the end'}, read from a copy of the server’s session folder.`;
  if (source === 'seed')
    return 'At the start, made from the environment’s data. The server’s own state cannot be read from here.';
  if (turn === null && world.at_turn === undefined) return 'Current state, updated after every call.';
  if (turn === null) return replayedLabel(world);
  const where = turn === 0 ? 'At the start' : `After turn ${String(turn)}`;
  const calls = callsUpTo(record, turn);
  const made = calls === 0 ? '' : ` by replaying ${formatCount(calls, 'call')}`;
  const differs =
    drift === 0
      ? calls === 0
        ? ''
        : ' All results matched the log.'
      : ` ${formatCount(drift, 'result')} differed from the log, so this state may not be exact.`;
  return `${where}, rebuilt${made}.${differs}`;
}

const replayedLabel = ({ drift, at_turn: turn = 0 }: World): string =>
  `After turn ${String(turn)}, in a session of its own on the same server: the logged calls were replayed there.` +
  (drift === 0
    ? ' All results matched the log.'
    : ` ${formatCount(drift, 'result')} differed from the log, so this state may not be exact.`);

/** The events since a state was read, and a way to read it again. */
function Stale({
  record,
  turn,
  world,
  isLoading,
  onAgain,
}: {
  record: EpisodeRecord;
  turn: number | null;
  world: World;
  isLoading: boolean;
  onAgain: () => void;
}): ReactNode {
  const { at_turn: at, source } = world;
  if (turn !== null || at === undefined) return null;
  const since = callsUpTo(record, Infinity) - callsUpTo(record, at);
  const missing = formatCount(since, 'call');
  if (source === 'seed') {
    return since === 0 ? null : <p className={styles.note}>{`${missing} since then cannot be shown.`}</p>;
  }
  return (
    <p className={styles.note}>
      {since === 0 ? 'Nothing was called since.' : `Out of date: ${missing} since then.`}{' '}
      {since === 0 ? null : (
        <Button size="small" isBusy={isLoading} onClick={onAgain}>
          Read it again
        </Button>
      )}
    </p>
  );
}

/** Rows that stand otherwise in the server’s database. */
function SeedProblems({ world: { seed_problems: problems = [] } }: { world: World }): ReactNode {
  if (problems.length === 0) return null;
  return (
    <details className={styles.change}>
      <summary>{`${formatCount(problems.length, 'statement')} of the data did not run as written`}</summary>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.file} ${problem.table} ${String(problem.number)}`}>
            {seedProblemText(problem)}
          </li>
        ))}
      </ul>
    </details>
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Unreadable({ failure }: { failure: FailureShape }): ReactNode {
  if (failure.code !== 'not_found')
    return (
      <div className={styles.panel}>
        <ErrorNote title="Could not read the state of the world" failure={failure} />
      </div>
    );
  return (
    <EmptyState icon={<DatabaseZap />} title={capitalised(failure.message)}>
      {failure.next === null ? '' : `${failure.next} `}
      What each call returned is in the timeline.
    </EmptyState>
  );
}

const ROWS_PER_PAGE = 100;

type TablePagesProps = {
  episode: string;
  turn: number | null;
  revision: number;
  table: StateTable;
  onBack: () => void;
};

/** One table of a world, a page at a time: a cell that is chosen, and copying it or its row. */
function TablePages({ episode, turn, revision, table, onBack }: TablePagesProps): ReactNode {
  const { name } = table;
  const [offset, setOffset] = useState(0);
  const [chosen, setChosen] = useState({ row: 0, column: 0 });
  const { page, failure } = usePage({ episode, turn, table: name, offset }, revision);
  const go = (next: number): void => {
    setOffset(next);
    setChosen({ row: 0, column: 0 });
  };
  const total = page?.rows ?? table.rows;
  const row = page?.page[chosen.row] ?? null;
  const cell = row?.[chosen.column] ?? null;
  return (
    <section className="stack-2 shrinks" aria-label={`Table ${name}`}>
      <header className={styles.pagesHead}>
        <Button size="small" tone="quiet" icon={<ArrowLeft />} onClick={onBack}>
          Tables
        </Button>
        <h3 className={styles.title}>
          <code>{name}</code>
        </h3>
        <span className={styles.range} role="status">
          {total === 0
            ? 'no rows'
            : `${(offset + 1).toLocaleString()}–${Math.min(total, offset + ROWS_PER_PAGE).toLocaleString()} of ${total.toLocaleString()}`}
        </span>
        <IconButton
          label="Previous 100 rows"
          icon={<ChevronLeft />}
          isDisabled={offset === 0}
          onClick={() => go(Math.max(0, offset - ROWS_PER_PAGE))}
        />
        <IconButton
          label="Next 100 rows"
          icon={<ChevronRight />}
          isDisabled={offset + ROWS_PER_PAGE >= total}
          onClick={() => go(offset + ROWS_PER_PAGE)}
        />
        <CopyButton label="Copy the cell" text={cellText(cell)} />
        <CopyButton
          label="Copy the row"
          text={row === null ? '' : JSON.stringify(rowObject(table.columns, row))}
        />
      </header>
      {failure === null ? null : <ErrorNote title="Could not read the table" failure={failure} />}
      {page === null && failure === null ? <Skeleton rows={10} height={18} label="Reading the rows" /> : null}
      {page === null ? null : <Grid page={page} chosen={chosen} onChoose={setChosen} />}
    </section>
  );
}

const rowObject = (columns: readonly string[], row: readonly ChangedCell[]): Record<string, ChangedCell> =>
  Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));

type CellPlace = { row: number; column: number };
const MOVES: Readonly<Record<string, CellPlace>> = {
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
};

function Grid({
  page,
  chosen,
  onChoose,
}: {
  page: TablePage;
  chosen: CellPlace;
  onChoose: (place: CellPlace) => void;
}): ReactNode {
  const { columns, keys, name, page: rows } = page;
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const within = (value: number, max: number): number => Math.max(0, Math.min(max, value));
    onChoose({
      row: within(chosen.row + move.row, rows.length - 1),
      column: within(chosen.column + move.column, columns.length - 1),
    });
  };
  return (
    <div
      className={styles.scroll}
      tabIndex={0}
      role="group"
      aria-label={`Rows of ${name}`}
      onKeyDown={onKeyDown}
    >
      <table className={styles.grid}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
                {keys.includes(column) ? <span className={styles.quiet}> key</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            // A page has no other name for its rows than their place.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={r}>
              {row.map((cell, c) => (
                <td
                  key={columns[c] ?? String(c)}
                  className={cx(
                    cell === null && styles.isNull,
                    r === chosen.row && c === chosen.column && styles.isChosen,
                  )}
                  aria-selected={r === chosen.row && c === chosen.column}
                  title={cellText(cell).length > 40 ? cellText(cell) : undefined}
                  onClick={() => onChoose({ row: r, column: c })}
                >
                  {cellText(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Ask = { episode: string; turn: number | null; table: string; offset: number };

/** The page that is asked for; the one before stands until it is there. */
function usePage({ episode, turn, table, offset }: Ask, revision: number) {
  const { value: page, failure } = useAsk(
    'state.page',
    { episode, turn, table, offset, limit: ROWS_PER_PAGE },
    { revision },
  );
  return { page, failure };
}

/** Null for the state as it is now; else the last turn whose call had come back: nothing after it changed anything. */
const stateTurn = ({ turns, ended }: EpisodeRecord, isReplay: boolean): number | null =>
  ended === null && !isReplay ? null : lastReturned(turns);

const lastReturned = (turns: EpisodeRecord['turns']): number =>
  turns.findLast(({ call }) => (call?.returned ?? null) !== null)?.turn ?? 0;

/** Changes when the state may have changed: once per call that came back. */
const stateRevision = ({ turns }: EpisodeRecord): number =>
  turns.reduce((count, { call }) => count + (call?.returned ? 1 : 0), 0);

/** Calls made again to rebuild the state after `turn`. */
const callsUpTo = ({ turns }: EpisodeRecord, turn: number): number =>
  turns.filter((one) => one.turn <= turn && (one.call?.returned ?? null) !== null && one.call?.sent).length;

type World = Outputs['state.tables'];
type WorldState = { world: World | null; isLoading: boolean; failure: FailureShape | null };

/** A scrubber that moves, or calls that follow each other, are read once at their end. */
const WORLD_SETTLE_MS = 200;

/** The tables after `turn`, or now with null; read again when `revision` changes. What was read stays until then. */
function useWorld(episode: string, turn: number | null, revision: number | string): WorldState {
  const {
    value: world,
    isLoading,
    failure,
  } = useAsk('state.tables', { episode, turn }, { delayMs: WORLD_SETTLE_MS, revision });
  return { world, isLoading, failure };
}
