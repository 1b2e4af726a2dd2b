// Owns: the rows of a world that differ between two states, table by table, field by field.
import { Minus, PenLine, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TableChange } from '../../../shared/contract/state.ts';
import {
  cellText,
  changedRows,
  changeWords,
  fieldsOf,
  rowName,
  rowsWords,
  type Cell,
} from './changeWords.ts';
import styles from './World.module.css';

type Row = TableChange['rows'][number];

const SIGNS = { added: <Plus />, changed: <PenLine />, removed: <Minus /> } as const;
/** More rows are shown on demand. */
const OPEN_MAX = 20;

export type ChangesProps = {
  changes: readonly TableChange[];
  /** The columns that name a row, per table, where they are known. */
  keys?: ReadonlyMap<string, readonly string[]>;
};

export function Changes({ changes, keys }: ChangesProps): ReactNode {
  return (
    <div className={styles['changes']}>
      {changes.map((change) => (
        <details key={change.table} className={styles['change']} open={changedRows(changes) <= OPEN_MAX}>
          <summary>
            <code className={styles['table']}>{change.table}</code> <span>{changeWords(change)}</span>
          </summary>
          <ul className={styles['rows']}>
            {change.rows.map((row, index) => (
              // Rows of a difference stand still: their place names them.
              // oxlint-disable-next-line react/no-array-index-key
              <ChangedRow key={index} row={row} keys={keys?.get(change.table) ?? []} />
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
  return hidden === 0 ? null : (
    <p className={styles['note']}>{`${rowsWords(hidden)} more, counted above.`}</p>
  );
}

function ChangedRow({ row, keys }: { row: Row; keys: readonly string[] }): ReactNode {
  return (
    <li className={styles['row']} data-change={row.change}>
      <p className={styles['rowName']}>
        <span className={styles['sign']} aria-hidden="true">
          {SIGNS[row.change]}
        </span>
        <strong>{row.change}</strong> <code>{rowName(row, keys)}</code>
      </p>
      <dl className={styles['fields']}>
        {fieldsOf(row).map(({ name, was, is }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {row.before === null ? null : <Value cell={was} isGone />}
              {row.before === null || row.after === null ? null : <span aria-label="became"> → </span>}
              {row.after === null ? null : <Value cell={is} />}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const Value = ({ cell, isGone = false }: { cell: Cell; isGone?: boolean }): ReactNode =>
  isGone ? (
    <del className={styles['was']}>{cellText(cell)}</del>
  ) : (
    <ins className={styles['is']}>{cellText(cell)}</ins>
  );
