// The rows of a world that differ between two states, table by table, field by field.
import { Minus, PenLine, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TableChange } from '../../../shared/contract/state.ts';
import {
  cellText,
  changedRows,
  tableChangeText,
  changedFields,
  rowName,
  rowsText,
  type ChangedCell,
} from './tableChangeText.ts';
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
