// The rows of a world that differ between two states, table by table, field by field.
import { Minus, PenLine, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { TableChange } from '../../../shared/events/world.ts';
import { useAct } from '../../state/queries.ts';
import { Cover, MarkedNote } from '../../ui/Cover.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './World.module.css';

type ChangedTableRow = TableChange['rows'][number];

const CHANGE_ICONS = { added: <Plus />, changed: <PenLine />, removed: <Minus /> } as const;
/** More rows are shown on demand. */
const OPEN_MAX = 20;

type ChangesProps = {
  changes: readonly TableChange[];
  /** The columns that name a row, per table, where they are known. */
  keys?: ReadonlyMap<string, readonly string[]>;
};

export function Changes({ changes, keys }: ChangesProps): ReactNode {
  return (
    <div className="stack-2">
      {changes.map((change) => (
        <details key={change.table} className={styles.change} open={changedRows(changes) <= OPEN_MAX}>
          <summary>
            <code className="bold">{change.table}</code> <span>{tableChangeText(change)}</span>
          </summary>
          <ul className={styles.rows}>
            {change.rows.map((row, index) => (
              // Rows of a difference stand still: their place names them.
              // oxlint-disable-next-line react/no-array-index-key
              <ChangedRowLine key={index} row={row} keys={keys?.get(change.table) ?? []} />
            ))}
          </ul>
          <Unlisted change={change} />
        </details>
      ))}
    </div>
  );
}

function Unlisted({ change }: { change: TableChange }): ReactNode {
  const hidden = changedRows([change]) - change.rows.length;
  return hidden === 0 ? null : <p className={styles.note}>{`${rowsText(hidden)} more, counted above`}</p>;
}

function ChangedRowLine({ row, keys }: { row: ChangedTableRow; keys: readonly string[] }): ReactNode {
  return (
    <li className={styles.row} data-change={row.change}>
      <p className="wrap-1">
        <span className={styles.sign} aria-hidden="true">
          {CHANGE_ICONS[row.change]}
        </span>
        <strong>{row.change}</strong> <code>{rowName(row, keys)}</code>
      </p>
      <dl className={styles.fields}>
        {changedFields(row).map(({ name, was, is }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {row.before === null ? null : <CellText cell={was} isGone />}
              {row.before === null || row.after === null ? null : <span aria-label="became"> → </span>}
              {row.after === null ? null : <CellText cell={is} />}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const CellText = ({ cell, isGone = false }: { cell: ChangedCell; isGone?: boolean }): ReactNode =>
  isGone ? <del className="bad">{cellText(cell)}</del> : <ins className={styles.is}>{cellText(cell)}</ins>;

/** The rows that differ, read when they are asked for: main records that this seat has seen them. */
export function CoveredChanges<Shown extends { changes: TableChange[] }>({
  what,
  read,
  label,
  more = null,
  onShown,
}: {
  what: string;
  read: () => Promise<Shown>;
  /** The heading once they are shown, for so many rows. */
  label: (rows: string, count: number) => string;
  /** What else lies behind the cover. */
  more?: ReactNode;
  onShown?: (shown: Shown) => void;
}): ReactNode {
  const [changes, setChanges] = useState<TableChange[] | null>(null);
  const { isBusy, failure, run } = useAct(async () => {
    const shown = await read();
    setChanges(shown.changes);
    onShown?.(shown);
  });
  if (changes === null)
    return (
      <>
        <Cover what={what} isBusy={isBusy} onShow={() => void run()} />
        {failure === null ? null : <ErrorNote title="Could not load the changes" failure={failure} />}
      </>
    );
  const count = changedRows(changes);
  return (
    <section aria-label="Changes to the world">
      <MarkedNote>Your advice on this task is marked: you have seen the state of the world.</MarkedNote>
      <h4 className={styles.title}>{label(rowsText(count), count)}</h4>
      <Changes changes={changes} />
      {more}
    </section>
  );
}

export type ChangedCell = string | number | null;
type ChangedRow = TableChange['rows'][number];

/** Counts all changed rows. */
export const changedRows = (changes: readonly TableChange[]): number =>
  changes.reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);

/** `1 row`, `3 rows`. */
export const rowsText = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`;

/** `2 added, 1 changed`. */
export const tableChangeText = ({ added, removed, changed }: TableChange): string =>
  (
    [
      [added, 'added'],
      [changed, 'changed'],
      [removed, 'removed'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString()} ${word}`)
    .join(', ');

/** The name of a row: its key columns, else the first. */
export function rowName({ before, after }: ChangedRow, keys: readonly string[] = []): string {
  const row = after ?? before ?? {};
  const named = keys.filter((key) => Object.hasOwn(row, key));
  const names = named.length > 0 ? named : Object.keys(row).slice(0, 1);
  return names.map((name) => `${name} ${cellText(row[name] ?? null)}`).join(', ');
}

/** The fields that differ; of a row that came or went, all of them. */
export function changedFields({
  before,
  after,
}: ChangedRow): { name: string; was: ChangedCell | null; is: ChangedCell | null }[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, was: before?.[name] ?? null, is: after?.[name] ?? null }))
    .filter(({ was, is }) => before === null || after === null || was !== is);
}

/** A value as it stands in a table; nothing is told from the empty text. */
export const cellText = (cell: ChangedCell): string => (cell === null ? 'NULL' : String(cell));
