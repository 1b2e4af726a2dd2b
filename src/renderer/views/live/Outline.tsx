// The outline of an episode beside its replay: every step and what people did, each one press away.
import { useMemo, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { outcomeWords, ROLE_LABELS, type TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { rowsOf } from '../../../shared/timeline/rows.ts';
import { cx, variantClass } from '../../ui/cx.ts';
import { VirtualList } from '../../ui/VirtualList.tsx';
import * as styles from './Outline.module.css';

type OutlineProps = {
  /** The episode to its end, whatever is shown of it. */
  whole: EpisodeRecord;
  /** The event shown now. */
  n: number;
  onGo: (n: number) => void;
};

const isHeading = (row: TimelineRow): boolean => row.shape === 'step' || row.isHuman;

export function Outline({ whole, n, onGo }: OutlineProps): ReactNode {
  const rows = useMemo(() => rowsOf(whole).filter(isHeading), [whole]);
  const here = rows.findLastIndex((row) => row.n <= n);
  return (
    <div className={styles.outline}>
      <VirtualList
        label="Outline"
        count={rows.length}
        rowHeight={28}
        rowKey={(index) => rows[index]?.key ?? index}
        activeIndex={here}
        onActivate={(index) => {
          const row = rows[index];
          if (row !== undefined) onGo(lastOf(rows, whole, index));
        }}
        renderRow={(index) => <OutlineRow row={rows[index]} isHere={index === here} isAhead={index > here} />}
      />
    </div>
  );
}

/** A step is shown with what came back: up to the event before the next one. */
const lastOf = (rows: readonly TimelineRow[], whole: EpisodeRecord, index: number): number =>
  Math.max(rows[index]?.n ?? 1, (rows[index + 1]?.n ?? whole.n + 1) - 1);

function OutlineRow({
  row,
  isHere,
  isAhead,
}: {
  row: TimelineRow | undefined;
  isHere: boolean;
  isAhead: boolean;
}): ReactNode {
  if (row === undefined) return null;
  const turn = row.subject.type === 'turn' ? String(row.subject.turn.turn) : '';
  return (
    <div className={cx(styles.row, isHere && styles.isHere, isAhead && styles.isAhead)}>
      <span className={styles.turn}>{turn}</span>
      <span className={cx(styles.role, variantClass(styles, row.role))}>{ROLE_LABELS[row.role]}</span>
      <b>{row.name}</b>
      {row.outcome?.tone === 'error' ? (
        <span className={styles.error}>{outcomeWords(row.outcome)}</span>
      ) : null}
    </div>
  );
}
