// A table of the report: its first column names the row.
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import * as styles from './Lab.module.css';
import type { Column } from './labTables.ts';

export type LabTableProps<Row> = {
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row, ReactNode>[];
  /** Headings of columns that hold text, which begin at the left. */
  texts?: readonly string[];
  /** Rows that differ in this stand apart. */
  groupOf?: (row: Row) => string;
};

export function LabTable<Row>({
  caption,
  rows,
  columns,
  texts = [],
  groupOf,
}: LabTableProps<Row>): ReactNode {
  const classOf = (heading: string): string | undefined =>
    texts.includes(heading) ? styles.text : undefined;
  const isFirst = (row: Row, index: number): boolean => {
    const before = rows[index - 1];
    return groupOf !== undefined && before !== undefined && groupOf(before) !== groupOf(row);
  };
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(([heading]) => (
              <th key={heading} scope="col" className={classOf(heading)}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className={cx(isFirst(row, index) && styles.first)}>
              {columns.map(([heading, cellOf], column) =>
                column === 0 ? (
                  <th key={heading} scope="row">
                    {cellOf(row)}
                  </th>
                ) : (
                  <td key={heading} className={classOf(heading)}>
                    {cellOf(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
