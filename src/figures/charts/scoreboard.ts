import { z } from 'zod';
import { rowChart } from '../rowChart.ts';
import { defineChart } from './chart.ts';
import { Estimate, Frame, notesOf } from './shapes.ts';

const ScoreboardData = z.strictObject({
  ...Frame,
  /** Shares from 0 to 1, with what was measured on which tasks: figures of different tasks do not compare. */
  strategies: z.array(
    z.strictObject({ name: z.string().min(1), measured: z.string().min(1), completion: Estimate }),
  ),
});

const percent = (share: number | null | undefined): number | null =>
  typeof share === 'number' ? share * 100 : null;

/** The last completion of each strategy, with what it was measured on. */
export const scoreboard = defineChart({
  name: 'scoreboard',
  data: ScoreboardData,
  figure: (data, options) => {
    const kinds = new Set(data.strategies.map(({ measured }) => measured));
    return rowChart(
      {
        name: 'scoreboard',
        title: data.title ?? 'Where each strategy stood at its last measurement',
        subtitle: 'Rollouts that the verifier calls complete, percent',
        notes: notesOf(
          data,
          kinds.size > 1 &&
            'Measured on different tasks or with different help: these figures do not compare.',
          data.strategies.some(
            ({ completion: { value, low } }) => value !== null && typeof low !== 'number',
          ) && 'Where no line is drawn, the source gives no interval.',
        ),
        x: { label: 'Complete, %', domain: [0, 100] },
        shape: 'dot',
        rows: data.strategies.map(({ name, measured, completion: { value, low, high, n } }) => ({
          label: name,
          value: percent(value),
          low: percent(low),
          high: percent(high),
          note: typeof n === 'number' ? `${measured}, n ${String(n)}` : measured,
        })),
        empty: 'No strategy has been measured yet.',
      },
      options,
    );
  },
});
