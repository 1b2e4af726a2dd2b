// Owns: the state of the world beside a timeline: what differs from the start, the tables, their rows.
import { DatabaseZap } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { StateTable } from '../../../shared/contract/state.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatCount } from '../text/size.ts';
import { Changes } from './Changes.tsx';
import { changedRows, changeWords, rowsWords } from './changeWords.ts';
import { callsUpTo, stateRevision, stateTurn } from './stateTurn.ts';
import { TablePages } from './TablePages.tsx';
import { useWorld, type World } from './useWorld.ts';
import styles from './World.module.css';

export function WorldPanel({ record, isReplay }: { record: EpisodeRecord; isReplay: boolean }): ReactNode {
  const turn = stateTurn(record, isReplay);
  const revision = stateRevision(record);
  const { world, isLoading, failure } = useWorld(record.id, turn, turn === null ? revision : 0);
  const [table, setTable] = useState<string | null>(null);
  if (failure !== null) return <Unreadable failure={failure} />;
  if (world === null) return <Skeleton rows={8} height={20} label="Reading the state of the world" />;
  const chosen = world.tables.find(({ name }) => name === table) ?? null;
  return (
    <section className={styles['panel']} aria-label="State of the world" aria-busy={isLoading}>
      <p className={styles['place']} role="status">
        {placeWords(record, turn, world)}
      </p>
      {chosen === null ? (
        <Overview world={world} onTable={setTable} />
      ) : (
        <TablePages
          key={chosen.name}
          episode={record.id}
          turn={turn}
          revision={turn === null ? revision : 0}
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
  const changed = new Map(changes.map((change) => [change.table, changeWords(change)]));
  return (
    <>
      <h3 className={styles['title']}>
        {changes.length === 0
          ? 'Nothing differs from the start'
          : `${rowsWords(changedRows(changes))} differ from the start`}
      </h3>
      <Changes changes={changes} keys={keys} />
      <h3 className={styles['title']}>{formatCount(tables.length, 'table')}</h3>
      <ul className={styles['tables']}>
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
    <li className={styles['tableLine']}>
      <Button size="small" tone="quiet" onClick={onOpen}>
        <code>{name}</code>
      </Button>
      <span
        className={styles['quiet']}
      >{`${rowsWords(rows)}, ${formatCount(columns.length, 'column')}`}</span>
      {changed === null ? null : <strong className={styles['changed']}>{changed}</strong>}
    </li>
  );
}

/** Which state this is, and whether it can be trusted to be the one that was. */
function placeWords(record: EpisodeRecord, turn: number | null, { drift, source }: World): string {
  if (source === 'left')
    return `${turn === 0 ? 'At the start' : 'At the end'}, read from a copy of what the server left in its session folder.`;
  if (turn === null) return 'As it is now; it follows every call.';
  const where = turn === 0 ? 'At the start' : `After turn ${String(turn)}`;
  const calls = callsUpTo(record, turn);
  const made = calls === 0 ? '' : ` by making ${formatCount(calls, 'call')} again`;
  const differs =
    drift === 0
      ? calls === 0
        ? ''
        : ' Every result was as in the log.'
      : ` ${formatCount(drift, 'result')} differed from the log: this may not be quite the state that was.`;
  return `${where}, rebuilt${made}.${differs}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Unreadable({ failure }: { failure: FailureShape }): ReactNode {
  if (failure.code !== 'not_found')
    return (
      <div className={styles['panel']}>
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
