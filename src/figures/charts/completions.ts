import { z } from 'zod';
import { columnChart } from '../columnChart.ts';
import { defineChart } from './chart.ts';
import { anyInterval, Estimate, Frame, noIntervals, notesOf } from './shapes.ts';

const CompletionsData = z.strictObject({
  ...Frame,
  /** Steps, or stretches of them: "1–5". */
  steps: z.array(z.string().min(1)),
  /** Rollouts of one step. */
  rollouts: z.number().int().positive().nullable(),
  unit: z.string().default('Completed rollouts'),
  /** One estimate for each of `steps`: completed rollouts of a step. */
  strategies: z.array(z.strictObject({ name: z.string().min(1), completions: z.array(Estimate) })),
});

/** How many rollouts of a step were completed, grouped by strategy. */
export const completions = defineChart({
  name: 'completions',
  data: CompletionsData,
  figure: (data, options) => {
    const all = data.strategies.flatMap(({ completions: list }) => list);
    return columnChart(
      {
        name: 'completions',
        title: data.title ?? 'Completed rollouts by training step',
        subtitle: `Rollouts that the verifier calls complete${data.rollouts === null ? '' : `, of ${String(data.rollouts)} a step`}`,
        notes: notesOf(data, all.length > 0 && noIntervals(anyInterval(all))),
        x: 'Training steps',
        y: { label: data.unit, include: [0] },
        categories: data.steps,
        series: data.strategies.map(({ name, completions: values }) => ({ name, values })),
        empty: 'No step of this run has a verdict yet, so no completion can be counted.',
      },
      options,
    );
  },
});
