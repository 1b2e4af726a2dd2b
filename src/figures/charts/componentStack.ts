import { z } from 'zod';
import { rowChart } from '../rowChart.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf, number } from './shapes.ts';

const ComponentStackData = z.strictObject({
  ...Frame,
  /** One line each: an arm, a step. Parts as they count: weighted where there are weights. */
  rows: z.array(
    z.strictObject({
      label: z.string().min(1),
      n: z.number().int().nonnegative().nullable(),
      parts: z.array(z.strictObject({ name: z.string().min(1), value: number })),
    }),
  ),
});

/** Of which parts a mean reward is made. */
export const componentStack = defineChart({
  name: 'component-stack',
  data: ComponentStackData,
  figure: (data, options) =>
    rowChart(
      {
        name: 'component-stack',
        title: data.title ?? 'Of which parts the reward is made',
        subtitle: 'Mean of each component as it was told, added up',
        notes: notesOf(data),
        x: { label: 'Reward', include: [0] },
        shape: 'bar',
        rows: data.rows.map(({ label, n, parts }) => ({
          label,
          value: parts.length === 0 ? null : parts.reduce((sum, { value }) => sum + value, 0),
          ...(n === null ? {} : { note: `n ${String(n)}` }),
          segments: parts,
        })),
        empty: 'No reward here was told in parts.',
      },
      options,
    ),
});
