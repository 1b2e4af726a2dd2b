import { z } from 'zod';
import { columnChart } from '../columnChart.ts';
import { defineChart } from './chart.ts';
import { anyInterval, Estimate, Frame, notesOf } from './shapes.ts';

const TrainingWheelsData = z.strictObject({
  ...Frame,
  /** Phases in the order in which they came, with their steps: "scaffold, 10 steps". */
  phases: z.array(z.string().min(1)),
  /** Shares from 0 to 1, one estimate for each phase. */
  metrics: z.array(z.strictObject({ name: z.string().min(1), values: z.array(Estimate) })),
});

const percent = (share: number | null | undefined): number | null =>
  typeof share === 'number' ? share * 100 : null;

/** What each phase came to while the expert was withdrawn step by step. */
export const trainingWheels = defineChart({
  name: 'training-wheels',
  data: TrainingWheelsData,
  figure: (data, options) => {
    const all = data.metrics.flatMap(({ values }) => values);
    return columnChart(
      {
        name: 'training-wheels',
        title: data.title ?? 'What the rollouts of each phase came to',
        subtitle: 'Means over the steps of a phase, percent of rollouts',
        notes: notesOf(
          data,
          all.length > 0 &&
            !anyInterval(all) &&
            'No interval is shown: the steps of one run are not independent of one another.',
          data.phases.length > 1 &&
            'Phases follow one another in one run: what changes between them is time as well as help.',
        ),
        x: 'Phase',
        y: { label: 'Rollouts, %', domain: [0, 100] },
        categories: data.phases,
        series: data.metrics.map(({ name, values }) => ({
          name,
          values: values.map(({ value, low, high }) => ({
            value: percent(value),
            low: percent(low),
            high: percent(high),
          })),
        })),
        empty: 'No step of this run says in which phase it was.',
      },
      options,
    );
  },
});
