import { z } from 'zod';
import { xyChart } from '../xyChart.ts';
import { defineChart } from './chart.ts';
import { anyInterval, Frame, noIntervals, notesOf, number } from './shapes.ts';

const CalibrationData = z.strictObject({
  ...Frame,
  /** Shares from 0 to 1: how sure the agent said it was, and how often it was right. */
  bins: z.array(
    z.strictObject({
      stated: number,
      complete: number,
      low: number.nullable().optional(),
      high: number.nullable().optional(),
      n: z.number().int().positive(),
    }),
  ),
});

const percent = (share: number | null | undefined): number | null =>
  typeof share === 'number' ? share * 100 : null;

/** Stated confidence against what the verifier said. */
export const calibration = defineChart({
  name: 'calibration',
  data: CalibrationData,
  figure: (data, options) =>
    xyChart(
      {
        name: 'calibration',
        title: data.title ?? 'How sure the agent said it was, and how often it was right',
        subtitle: `Episodes with a stated confidence and a verdict, n ${String(data.bins.reduce((sum, { n }) => sum + n, 0))}`,
        notes: notesOf(
          data,
          data.bins.length > 0 &&
            'On the dashed line the agent is as often right as it says. Above it, it says too little.',
          data.bins.length > 0 && noIntervals(anyInterval(data.bins)),
        ),
        x: { label: 'Stated confidence, %', domain: [0, 100] },
        y: { label: 'Complete, %', domain: [0, 100] },
        hasDiagonal: true,
        series: [
          {
            name: 'Episodes',
            isJoined: false,
            points: data.bins.map(({ stated, complete, low, high, n }) => ({
              x: stated * 100,
              y: complete * 100,
              low: percent(low),
              high: percent(high),
              label: `n ${String(n)}`,
            })),
          },
        ],
        empty: 'No episode with a verdict states how sure the agent was.',
      },
      options,
    ),
});
