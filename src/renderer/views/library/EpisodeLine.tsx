// One line of the library, and the line of titles over the list.
import { ArrowDown, ArrowUp, Square, SquareCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeOrder } from '../../../shared/contract/library.ts';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { cx, variantClass } from '../../ui/cx.ts';
import type { Column } from './columns.tsx';
import * as styles from './EpisodeLine.module.css';

type HeadProps = {
  columns: readonly Column[];
  order: EpisodeOrder;
  onOrder: (order: EpisodeOrder) => void;
};

/** Titles that order the list: first the way one mostly wants, then the other. */
export function EpisodeHead({ columns, order, onOrder }: HeadProps): ReactNode {
  return (
    <div className={cx(styles.line, styles.head)} role="group" aria-label="Order">
      <span className={styles.choice} />
      {columns.map((column) => (
        <span key={column.id} className={variantClass(styles, column.place)}>
          {column.order === null ? column.label : <Title column={column} order={order} onOrder={onOrder} />}
        </span>
      ))}
    </div>
  );
}

const READ_UPWARDS: ReadonlySet<string> = new Set(['scenario', 'condition', 'outcome']);

function Title({ column, order, onOrder }: Omit<HeadProps, 'columns'> & { column: Column }): ReactNode {
  const by = column.order ?? 'started_at';
  const isOn = order.by === by;
  const isAscending = isOn ? !order.is_ascending : READ_UPWARDS.has(by);
  const now = isOn ? `, now ${order.is_ascending ? 'upwards' : 'downwards'}` : '';
  return (
    <button
      type="button"
      className={cx(styles.title, isOn && styles.isOn)}
      aria-label={`Order by ${column.label.toLowerCase()}${now}`}
      aria-pressed={isOn}
      onClick={() => onOrder({ by, is_ascending: isAscending })}
    >
      {column.label}
      {isOn ? order.is_ascending ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" /> : null}
    </button>
  );
}

type EpisodeLineProps = {
  row: EpisodeRow | undefined;
  columns: readonly Column[];
  isActive: boolean;
  isChosen: boolean;
  onChoose: () => void;
};

export function EpisodeLine({ row, columns, isActive, isChosen, onChoose }: EpisodeLineProps): ReactNode {
  if (row === undefined) return <div className={styles.line} role="gridcell" aria-busy="true" />;
  return (
    <div className={cx(styles.line, isActive && styles.isActive, isChosen && styles.isChosen)}>
      {/* The row says that it is chosen: the box in it is for the eye and the mouse. */}
      <span
        className={styles.choice}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onChoose();
        }}
      >
        {isChosen ? <SquareCheck aria-hidden="true" /> : <Square aria-hidden="true" />}
      </span>
      {columns.map(({ id, place, show }) => (
        <span
          key={id}
          role="gridcell"
          className={cx(
            variantClass(styles, place),
            id === 'status' && row.status === 'waiting' && styles.waits,
          )}
        >
          {show(row)}
        </span>
      ))}
    </div>
  );
}
