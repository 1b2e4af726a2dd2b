// A table of short values; the first of a row names it.
import type { ReactNode } from 'react';
import * as styles from './Table.module.css';

type TableProps = {
  columns: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  caption?: string;
};

export const Table = ({ columns, rows, caption }: TableProps): ReactNode => (
  <div className={styles.scroll}>
    <table className={styles.table}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th key={`${column} ${String(at)}`} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], line) => (
          // Two rows may say the same.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={line}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              <td key={`${columns[at + 1] ?? ''} ${String(at)}`}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
