import { z } from 'zod';
import { countText } from '../../shared/countText.ts';
import { rowChart } from '../rowChart.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf, number } from './shapes.ts';

const LiftData = z.strictObject({
  ...Frame,
  /** What the difference is of, with its unit. */
  outcome: z.string().min(1),
  /** `interventions`: each answer by itself, of which `n` counts continuations. */
  of: z.enum(['arms', 'interventions']).default('arms'),
  differences: z.array(
    z.strictObject({
      label: z.string().min(1),
      estimate: number.nullable(),
      low: number.nullable(),
      high: number.nullable(),
      n: z.number().int().nonnegative(),
      is_shown: z.boolean(),
    }),
  ),
});

/** Differences between two arms, or with and without one intervention, against the line where there is none. */
export const lift = defineChart({
  name: 'lift',
  data: LiftData,
  figure: (data, options) => {
    const shown = data.differences.filter(({ is_shown: isShown }) => isShown).length;
    const isOfArms = data.of === 'arms';
    const unit = isOfArms ? 'task' : 'continuation';
    const bare = data.differences.filter(({ estimate, low }) => estimate !== null && low === null).length;
    return rowChart(
      {
        name: 'lift',
        title:
          data.title ??
          (shown === 0
            ? 'No difference is shown'
            : `A difference is shown in ${String(shown)} of ${countText(data.differences.length, 'comparison')}`),
        subtitle: `Difference in ${data.outcome}, with 95 % intervals${isOfArms ? ' over tasks' : ''}`,
        notes: notesOf(
          data,
          bare > 0 && `${String(bare)} without an interval: descriptive only.`,
          data.differences.length > 0 &&
            'An interval that holds zero shows no difference; it does not show that there is none.',
        ),
        x: { label: `Difference, ${data.outcome}` },
        shape: 'dot',
        level: { x: 0, label: 'no difference' },
        rows: data.differences.map(({ label, estimate, low, high, n, is_shown: isShown }) => ({
          label,
          value: estimate,
          low,
          high,
          note: `${countText(n, unit)}${isShown ? '' : ', not shown'}`,
          colour: isShown ? 'human' : 'system',
        })),
        empty: isOfArms
          ? 'There is no pair of arms with runs of the same tasks yet.'
          : 'No intervention was measured yet.',
      },
      options,
    );
  },
});
