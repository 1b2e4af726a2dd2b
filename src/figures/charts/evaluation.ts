import { z } from 'zod';
import { countText } from '../../shared/countText.ts';
import { rowChart } from '../rowChart.ts';
import { defineChart } from './chart.ts';
import { anyInterval, Frame, noIntervals, notesOf, number } from './shapes.ts';

const EvaluationData = z.strictObject({
  ...Frame,
  /** Solo and assisted runs answer different questions: they are never in one figure. */
  kind: z.enum(['solo', 'assisted']),
  /** Shares from 0 to 1. */
  arms: z.array(
    z.strictObject({
      label: z.string().min(1),
      completion: number.nullable(),
      low: number.nullable(),
      high: number.nullable(),
      tasks: z.number().int().nonnegative(),
      runs: z.number().int().nonnegative(),
    }),
  ),
});

const percent = (share: number | null): number | null => (share === null ? null : share * 100);

/** Verifier completion on held-out tasks, with its interval and how many tasks it is over. */
export const evaluation = defineChart({
  name: 'evaluation',
  data: EvaluationData,
  figure: (data, options) =>
    rowChart(
      {
        name: `evaluation-${data.kind}`,
        title:
          data.title ??
          (data.kind === 'solo'
            ? 'What the agent completes alone'
            : 'What the agent completes while it may be helped'),
        subtitle: 'Tasks that the verifier calls complete, percent, with 95 % intervals over tasks',
        notes: notesOf(data, data.arms.length > 0 && noIntervals(anyInterval(data.arms))),
        x: { label: 'Complete, %', domain: [0, 100] },
        shape: 'dot',
        rows: data.arms.map(({ label, completion, low, high, tasks, runs }) => ({
          label,
          value: percent(completion),
          low: percent(low),
          high: percent(high),
          note: `${countText(tasks, 'task')}, ${countText(runs, 'run')}`,
          colour: data.kind === 'solo' ? 'agent' : 'human',
        })),
        empty: 'No run of these arms counts yet, so there is nothing to compare.',
      },
      options,
    ),
});
