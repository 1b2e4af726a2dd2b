// What a reward gives, on one axis: the episodes that were completed above, the others below.
import { useRef, type ReactNode } from 'react';
import { useWidth } from '../../parts/episode/useWidth.ts';
import * as styles from './Lab.module.css';
import { scoreText } from './labText.ts';
import { axisTicks, rangeOf, scaleOf } from './scale.ts';

/** Episodes at one reward; `label` where each mark says what it stands for. */
export type StripMark = { at: number; count: number; isComplete: boolean; label?: string };

type StripProps = { title: string; axis: string; marks: readonly StripMark[] };

const LEFT = 96;
const RIGHT = 16;
const ROW = 44;
const BOTTOM = 40;
const RADIUS = { least: 4, most: 16 };
const WIDTH = { least: 280, most: 620 };

export function RewardStrip({ title, axis, marks }: StripProps): ReactNode {
  const box = useRef<HTMLElement>(null);
  const width = Math.max(WIDTH.least, Math.min(WIDTH.most, useWidth(box)));
  const range = rangeOf(marks.map(({ at }) => at));
  const x = scaleOf(range, [LEFT, width - RIGHT]);
  const most = Math.max(1, ...marks.map(({ count }) => count));
  const rows = [true, false] as const;
  return (
    <figure className={styles.chart} ref={box}>
      <figcaption className={styles.chartTitle}>{title}</figcaption>
      <svg width={width} height={ROW * 2 + BOTTOM} role="img" aria-label={title} className={styles.plot}>
        {axisTicks(range).map((tick) => (
          <g key={tick} className={styles.tick}>
            <path d={`M${String(x(tick))},0V${String(ROW * 2)}`} />
            <text x={x(tick)} y={ROW * 2 + 16} textAnchor="middle">
              {scoreText(tick)}
            </text>
          </g>
        ))}
        {rows.map((isComplete, row) => (
          <text key={row} x={0} y={ROW * (row + 0.5) + 4} className={styles.axis}>
            {isComplete ? 'Complete' : 'Not complete'}
          </text>
        ))}
        <text
          x={(LEFT + width - RIGHT) / 2}
          y={ROW * 2 + BOTTOM - 6}
          textAnchor="middle"
          className={styles.axis}
        >
          {axis}
        </text>
        {marks.map(({ at, count, isComplete, label }, index) => (
          <g key={index}>
            <title>{`${label ?? `${String(count)} episodes`}: ${scoreText(at)}`}</title>
            <circle
              cx={x(at)}
              cy={ROW * (isComplete ? 0.5 : 1.5)}
              r={Math.max(RADIUS.least, RADIUS.most * Math.sqrt(count / most))}
              className={isComplete ? styles.done : styles.undone}
            />
          </g>
        ))}
      </svg>
    </figure>
  );
}
