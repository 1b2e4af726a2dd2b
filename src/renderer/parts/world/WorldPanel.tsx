// The state of the world beside a timeline: what differs from the start, the tables, their rows.
import { DatabaseZap } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { StateTable } from '../../../shared/contract/state.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { seedProblemText } from '../../../shared/seed.ts';
import { useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Cover } from '../../ui/Cover.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatCount } from '../text/size.ts';
import { isDatabaseWorld } from './isDatabaseWorld.ts';
import { Changes } from './Changes.tsx';
import { changedRows, tableChangeText, rowsText } from './tableChangeText.ts';
import { callsUpTo, stateRevision, stateTurn } from './stateTurn.ts';
import { TablePages } from './TablePages.tsx';
import { useWorld, type World } from './useWorld.ts';
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

/** Which state this is, and whether it can be trusted to be the one that was. */
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

/** How much happened since a state was read, and a way to read it again. */
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
