import { z } from 'zod';
import { rowChart } from '../rowChart.ts';
import { defineChart } from './chart.ts';
import { Estimate, Frame, notesOf } from './shapes.ts';

const EnvironmentOverviewData = z.strictObject({
  ...Frame,
  /** Of each scenario: its tasks and tools, and how much of it is completed without help (shares from 0 to 1). */
  scenarios: z.array(
    z.strictObject({
      name: z.string().min(1),
      tasks: z.number().int().nonnegative(),
      tools: z.number().int().nonnegative().nullable(),
      solo: Estimate,
    }),
  ),
});

const percent = (share: number | null | undefined): number | null =>
  typeof share === 'number' ? share * 100 : null;

/** The scenarios of an environment: how large each is, and how hard. */
export const environmentOverview = defineChart({
  name: 'environment-overview',
  data: EnvironmentOverviewData,
  figure: (data, options) => {
    const tasks = data.scenarios.reduce((sum, one) => sum + one.tasks, 0);
    return rowChart(
      {
        name: 'environment-overview',
        title: data.title ?? `${String(tasks)} tasks in ${String(data.scenarios.length)} scenarios`,
        subtitle: 'Completed without help, percent of runs; beside it tasks and tools',
        notes: notesOf(data),
        x: { label: 'Complete without help, %', domain: [0, 100] },
        shape: 'dot',
        rows: data.scenarios.map(({ name, tasks: count, tools, solo: { value, low, high } }) => ({
          label: name,
          value: percent(value),
          low: percent(low),
          high: percent(high),
          note: `${String(count)} tasks${tools === null ? '' : `, ${String(tools)} tools`}`,
        })),
        empty: 'No scenario of this environment has been run without help yet.',
      },
      options,
    );
  },
});
