// Numbers in rows: those of a figure, or where a figure would say no more.
import type { ReactNode } from 'react';
import type { FigureTable } from '../../../figures/scene.ts';
import { formatNumber } from '../../../figures/text.ts';
import { Table } from '../../ui/Table.tsx';
import * as styles from './FigureView.module.css';

export const NumberTable = ({ table, caption }: { table: FigureTable; caption: string }): ReactNode => (
  <div className={styles.scroll}>
    <Table
      caption={caption}
      columns={table.columns}
      rows={table.rows.map((row) =>
        row.map((cell) => (cell === null ? '–' : typeof cell === 'number' ? formatNumber(cell, 6) : cell)),
      )}
    />
  </div>
);
