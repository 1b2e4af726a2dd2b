import { z } from 'zod';
import { xyChart } from '../xyChart.ts';
import { defineChart } from './chart.ts';
import { anyInterval, Frame, noIntervals, notesOf, number, StepSeries, xyPoints } from './shapes.ts';

const FormatErrorsData = z.strictObject({
  ...Frame,
  /** Shares from 0 to 1. */
  series: z.array(StepSeries),
  /** Where the phases change, as shares. */
  thresholds: z.array(z.strictObject({ label: z.string().min(1), share: number })),
});

/** The share of rollouts with a format error by step, with the thresholds of the phases. */
export const formatErrors = defineChart({
  name: 'format-errors',
  data: FormatErrorsData,
  figure: (data, options) =>
    xyChart(
      {
        name: 'format-errors',
        title: data.title ?? 'Share of rollouts with a format error, by training step',
        subtitle: 'Rollouts with a format error, percent of a step’s rollouts',
        notes: notesOf(
          data,
          data.series.length > 0 && noIntervals(anyInterval(data.series.flatMap(({ points }) => points))),
        ),
        x: { label: 'Training step', isInteger: true },
        y: { label: 'Format errors, %', domain: [0, 100] },
        series: data.series.map(({ name, points }) => ({
          name,
          points: xyPoints(points).map(({ x, y, low, high }) => ({
            x,
            y: y * 100,
            low: typeof low === 'number' ? low * 100 : null,
            high: typeof high === 'number' ? high * 100 : null,
          })),
        })),
        levels: data.thresholds.map(({ label, share }) => ({ y: share * 100, label })),
        empty: 'No step of this run says how many rollouts had a format error.',
      },
      options,
    ),
});
