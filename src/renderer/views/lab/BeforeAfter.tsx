// The chart of what each episode was worth and is worth now. The line is where nothing changes.
import { useRef, type ReactNode } from 'react';
import type { Dot, LabReport } from '../../../shared/contract/rewards.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import * as styles from './Lab.module.css';
import { LabTable } from './LabTable.tsx';
import { changeText, MEASURES, scoreText, type SettingsNames } from './labText.ts';
import { rangeOf, scaleOf, axisTicks } from './scale.ts';

type ChartProps = { report: LabReport; names: SettingsNames };

const LEFT = 52;
const BOTTOM = 44;
const CHART_MARGIN = 14;
const RADIUS = { least: 3, most: 15 };
const WIDTH = { least: 280, most: 620 };

export function BeforeAfter({ report, names }: ChartProps): ReactNode {
  const box = useRef<HTMLElement>(null);
  const width = Math.max(WIDTH.least, Math.min(WIDTH.most, useWidth(box)));
  const { dots, measure } = report;
  return (
    <figure className={styles.chart} ref={box}>
      <figcaption className={styles.chartTitle}>{`${changeText(report)}.`}</figcaption>
      <Plot report={report} names={names} width={width} />
      <p className={styles.legend}>
        <LegendMark className={styles.done} /> complete <LegendMark className={styles.undone} /> not complete.
        Area shows the number of episodes
        {dots.grid === null ? '' : `, positions rounded to ${String(dots.grid)}`}.
      </p>
      <details className={styles.behind}>
        <summary>As a table</summary>
        <LabTable
          caption={`${MEASURES[measure]} reward before and after`}
          rows={dots.list}
          columns={[
            ['Before', ({ before }) => scoreText(before)],
            ['After', ({ after }) => scoreText(after)],
            ['Complete', ({ complete }) => complete],
            ['Not complete', ({ other }) => other],
          ]}
        />
      </details>
    </figure>
  );
}

const LegendMark = ({ className }: { className: string }): ReactNode => (
  <svg width="14" height="14" aria-hidden="true">
    <circle cx="7" cy="7" r="5" className={className} />
  </svg>
);

function Plot({ report, names, width }: ChartProps & { width: number }): ReactNode {
  const { dots, measure } = report;
  const [right, bottom] = [width - CHART_MARGIN, Math.round(Math.min(width * 0.66, 360)) - BOTTOM];
  // One range for both sides: a change is a distance from the line.
  const range = rangeOf(dots.list.flatMap(({ before, after }) => [before, after]));
  const x = scaleOf(range, [LEFT, right]);
  const y = scaleOf(range, [bottom, CHART_MARGIN]);
  const most = Math.max(1, ...dots.list.flatMap(({ complete, other }) => [complete, other]));
  const [low, high] = range;
  return (
    <svg
      width={width}
      height={bottom + BOTTOM}
      role="img"
      aria-label={`${changeText(report)}.`}
      className={styles.plot}
    >
      {axisTicks(range).map((tick) => (
        <g key={tick} className={styles.tick}>
          <path d={`M${x(tick)},${CHART_MARGIN}V${bottom}M${LEFT},${y(tick)}H${right}`} />
          <text x={x(tick)} y={bottom + 16} textAnchor="middle">
            {scoreText(tick)}
          </text>
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {scoreText(tick)}
          </text>
        </g>
      ))}
      <path d={`M${x(low)},${y(low)}L${x(high)},${y(high)}`} className={styles.same} />
      <text x={(LEFT + right) / 2} y={bottom + BOTTOM - 6} textAnchor="middle" className={styles.axis}>
        {`${MEASURES[measure]} reward by ${names.before}`}
      </text>
      <text
        transform={`translate(12 ${(bottom + CHART_MARGIN) / 2}) rotate(-90)`}
        textAnchor="middle"
        className={styles.axis}
      >
        {`by ${names.after}`}
      </text>
      {dots.list.map((dot) => (
        <DotMark
          key={`${String(dot.before)} ${String(dot.after)}`}
          dot={dot}
          most={most}
          at={[x(dot.before), y(dot.after)]}
        />
      ))}
    </svg>
  );
}

function DotMark({ dot, most, at: [cx, cy] }: { dot: Dot; most: number; at: [number, number] }): ReactNode {
  const { before, after, complete, other } = dot;
  const circle = (count: number, className: string): ReactNode =>
    count === 0 ? null : (
      <circle
        cx={cx}
        cy={cy}
        r={Math.max(RADIUS.least, RADIUS.most * Math.sqrt(count / most))}
        className={className}
      />
    );
  return (
    <g>
      <title>{`${scoreText(before)} to ${scoreText(after)}: ${String(complete)} complete, ${String(other)} not`}</title>
      {circle(complete, styles.done)}
      {circle(other, styles.undone)}
    </g>
  );
}
