// The chart of what each episode was worth and is worth now. The line is where nothing changes.
import { useRef, type ReactNode } from 'react';
import type { Dot, LabReport } from '../../../shared/contract/rewards.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import * as styles from './Lab.module.css';
import { changeText, MEASURES, scoreText } from './labText.ts';
import { rangeOf, scaleOf, axisTicks } from './scale.ts';

type ChartProps = { report: LabReport; names: { before: string; after: string } };

const LEFT = 52;
const BOTTOM = 44;
const CHART_MARGIN = 14;
const RADIUS = { least: 3, most: 15 };
const WIDTH = { least: 280, most: 620 };

export function BeforeAfter({ report, names }: ChartProps): ReactNode {
  const box = useRef<HTMLElement>(null);
  const measured = useWidth(box);
  const width = Math.max(WIDTH.least, Math.min(WIDTH.most, measured));
  const { dots, measure } = report;
  const title = `${changeText(report)}.`;
  return (
    <figure className={styles.chart} ref={box}>
      <figcaption className={styles.chartTitle}>{title}</figcaption>
      <Plot {...{ report, names, width, title }} />
      <p className={styles.legend}>
        <svg width="14" height="14" aria-hidden="true">
          <circle cx="7" cy="7" r="5" className={styles.done} />
        </svg>
        complete
        <svg width="14" height="14" aria-hidden="true">
          <circle cx="7" cy="7" r="5" className={styles.undone} />
        </svg>
        not complete. Area shows the number of episodes
        {dots.grid === null ? '' : `, positions rounded to ${String(dots.grid)}`}.
      </p>
      <details className={styles.behind}>
        <summary>As a table</summary>
        <div className={styles.scroll}>
          <table className={styles.table}>
            <caption>{`${MEASURES[measure]} reward before and after`}</caption>
            <thead>
              <tr>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">Complete</th>
                <th scope="col">Not complete</th>
              </tr>
            </thead>
            <tbody>
              {dots.list.map((dot) => (
                <tr key={`${String(dot.before)} ${String(dot.after)}`}>
                  <td>{scoreText(dot.before)}</td>
                  <td>{scoreText(dot.after)}</td>
                  <td>{dot.complete}</td>
                  <td>{dot.other}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

type PlotProps = ChartProps & { width: number; title: string };

function Plot({ report: { dots, measure }, names, width, title }: PlotProps): ReactNode {
  const height = Math.round(Math.min(width * 0.66, 360));
  // One range for both sides: a change is a distance from the line.
  const range = rangeOf(dots.list.flatMap(({ before, after }) => [before, after]));
  const x = scaleOf(range, [LEFT, width - CHART_MARGIN]);
  const y = scaleOf(range, [height - BOTTOM, CHART_MARGIN]);
  const most = dots.list.reduce((largest, dot) => Math.max(largest, dot.complete, dot.other), 1);
  const [low, high] = range;
  return (
    <svg width={width} height={height} role="img" aria-label={title} className={styles.plot}>
      {axisTicks(range).map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={CHART_MARGIN} y2={height - BOTTOM} className={styles.grid} />
          <line x1={LEFT} x2={width - CHART_MARGIN} y1={y(tick)} y2={y(tick)} className={styles.grid} />
          <text x={x(tick)} y={height - BOTTOM + 16} textAnchor="middle" className={styles.tick}>
            {scoreText(tick)}
          </text>
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end" className={styles.tick}>
            {scoreText(tick)}
          </text>
        </g>
      ))}
      <line x1={x(low)} y1={y(low)} x2={x(high)} y2={y(high)} className={styles.same} />
      <text x={(LEFT + width - CHART_MARGIN) / 2} y={height - 6} textAnchor="middle" className={styles.axis}>
        {`${MEASURES[measure]} reward by ${names.before}`}
      </text>
      <text
        transform={`translate(12 ${String((height - BOTTOM + CHART_MARGIN) / 2)}) rotate(-90)`}
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
  const radius = (count: number): number =>
    count === 0 ? 0 : Math.max(RADIUS.least, RADIUS.most * Math.sqrt(count / most));
  const words = `${scoreText(dot.before)} to ${scoreText(dot.after)}: ${String(dot.complete)} complete, ${String(dot.other)} not`;
  return (
    <g>
      <title>{words}</title>
      {dot.complete === 0 ? null : (
        <circle cx={cx} cy={cy} r={radius(dot.complete)} className={styles.done} />
      )}
      {dot.other === 0 ? null : <circle cx={cx} cy={cy} r={radius(dot.other)} className={styles.undone} />}
    </g>
  );
}
