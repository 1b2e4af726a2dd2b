// Numbers in rows: those of a figure, or where a figure would say no more.
import type { ReactNode } from 'react';
import type { FigureTable } from '../../../figures/scene.ts';
import { formatNumber } from '../../../figures/text.ts';
import * as styles from './FigureView.module.css';

export function NumberTable({ table, caption }: { table: FigureTable; caption: string }): ReactNode {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {table.columns.map((column, index) => (
              <th key={`${column} ${String(index)}`} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            // Two rows may say the same.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={line}>
              {row.map((cell, index) => (
                <td key={`${table.columns[index] ?? ''} ${String(index)}`}>
                  {cell === null ? '–' : typeof cell === 'number' ? formatNumber(cell, 6) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
