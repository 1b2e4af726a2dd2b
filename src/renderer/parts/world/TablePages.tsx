// One table of a world, a page at a time: a cell that is chosen, and copying it or its row.
import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { StateTable, TablePage } from '../../../shared/contract/state.ts';
import { useAsk } from '../../state/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { cellText, type ChangedCell } from './tableChangeText.ts';
import * as styles from './World.module.css';

const ROWS_PER_PAGE = 100;

type TablePagesProps = {
  episode: string;
  turn: number | null;
  revision: number;
  table: StateTable;
  onBack: () => void;
};

export function TablePages({ episode, turn, revision, table, onBack }: TablePagesProps): ReactNode {
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
