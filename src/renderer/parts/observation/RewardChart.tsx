// The rewards of an episode over its turns: a bar for each step, a line for what they come to. One point is named at a
// time: the one under the pointer, or the one the arrow keys stand on.
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useWidth } from '../episode/useWidth.ts';
import * as styles from './RewardChart.module.css';
import { formatReward, rewardScale, turnAxis, type RewardPoint } from './rewardSeries.ts';

const HEIGHT = 160;
const LEFT = 48;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 20;
/** What an element that was not measured yet is taken for. */
const WIDTH = 400;
const BAR_MAX = 18;

export function RewardChart({ points }: { points: readonly RewardPoint[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const measured = useWidth(box);
  const [chosen, setChosen] = useState<number | null>(null);
  const width = Number.isFinite(measured) && measured > 0 ? measured : WIDTH;
  const last = points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const point = points[at];
  if (point === undefined) return <p className="quiet">No step has given a reward yet.</p>;
  const place = placeIn(points, width);
  const move = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };
  const hover = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void =>
    setChosen(place.nearest(clientX - currentTarget.getBoundingClientRect().left));
  const text = `Turn ${String(point.turn)}: reward ${formatReward(point.reward)}, ${formatReward(point.total)} so far`;
  return (
    <figure className={styles.chart}>
      <div
        ref={box}
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label="Reward by turn"
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={at + 1}
        aria-valuetext={text}
        onKeyDown={move}
        onPointerMove={hover}
        onPointerLeave={() => setChosen(null)}
      >
        <Plot points={points} place={place} at={at} width={width} />
      </div>
      <figcaption className={styles.caption}>
        <span>{text}</span>
        <span className={styles.key}>
          <i className={styles.keyBar} /> step <i className={styles.keyLine} /> added up
        </span>
      </figcaption>
    </figure>
  );
}

type Place = ReturnType<typeof placeIn>;

function placeIn(points: readonly RewardPoint[], width: number) {
  const { min, max, ticks } = rewardScale(points.flatMap(({ reward, total }) => [reward, total]));
  const { step, x, nearest } = turnAxis(points, LEFT, width - LEFT - RIGHT);
  return {
    ticks,
    bar: Math.max(1, Math.min(BAR_MAX, step * 0.7)),
    x,
    nearest,
    y: (value: number): number => TOP + ((max - value) / (max - min)) * (HEIGHT - TOP - BOTTOM),
  };
}

function Plot({
  points,
  place: { ticks, bar, x, y },
  at,
  width,
}: {
  points: readonly RewardPoint[];
  place: Place;
  at: number;
  width: number;
}): ReactNode {
  const line = points.map(({ turn, total }) => `${x(turn).toFixed(1)},${y(total).toFixed(1)}`).join(' ');
  const point = points[at];
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={LEFT}
            x2={width - RIGHT}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? styles.zero : styles.grid}
          />
          <text x={LEFT - 6} y={y(tick) + 4} className={styles.tick} textAnchor="end">
            {formatReward(tick)}
          </text>
        </g>
      ))}
      {points.map(({ turn, reward }) => (
        <rect
          key={turn}
          x={x(turn) - bar / 2}
          width={bar}
          y={Math.min(y(0), y(reward))}
          height={Math.max(1, Math.abs(y(reward) - y(0)))}
          className={reward < 0 ? styles.less : styles.more}
        />
      ))}
      <polyline points={line} className={styles.line} />
      {point === undefined ? null : (
        <>
          <line
            x1={x(point.turn)}
            x2={x(point.turn)}
            y1={TOP}
            y2={HEIGHT - BOTTOM}
            className={styles.cursor}
          />
          <circle cx={x(point.turn)} cy={y(point.total)} r="3.5" className={styles.dot} />
        </>
      )}
      {[...new Set([1, points.at(-1)?.turn ?? 1])].map((turn) => (
        <text key={turn} x={x(turn)} y={HEIGHT - 5} className={styles.tick} textAnchor="middle">
          {turn}
        </text>
      ))}
    </svg>
  );
}
