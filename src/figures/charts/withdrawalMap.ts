import { z } from 'zod';
import { countText } from '../../shared/countText.ts';
import { gridChart } from '../gridChart.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf } from './shapes.ts';

const Cell = z.enum(['expert', 'alone', 'returned']);
const WithdrawalMapData = z.strictObject({
  ...Frame,
  steps: z.array(z.number().int()),
  /** One cell for each of `steps`; null where the task was not played. */
  tasks: z.array(z.strictObject({ task: z.string().min(1), cells: z.array(Cell.nullable()) })),
});

/** From which task the expert was withdrawn when, and to which it came back. */
export const withdrawalMap = defineChart({
  name: 'withdrawal-map',
  data: WithdrawalMapData,
  figure: (data, options) =>
    gridChart(
      {
        name: 'withdrawal-map',
        title: data.title ?? titleOf(data.tasks),
        subtitle: 'Each task by step: whether its rollouts had an expert',
        notes: notesOf(data),
        x: 'Step',
        columns: data.steps.map(String),
        rows: data.tasks.map(({ task, cells }) => ({ label: task, cells })),
        kinds: {
          expert: { letter: 'E', name: 'with an expert', colour: 'human', fill: 0.55 },
          alone: { letter: '', name: 'alone', colour: 'agent', fill: 0.12 },
          returned: { letter: 'R', name: 'the expert came back', colour: 'scripted', fill: 0.6 },
        },
        empty: 'No task has a step at which it is known whether it had an expert.',
      },
      options,
    ),
});

function titleOf(tasks: readonly { cells: readonly (string | null)[] }[]): string {
  const alone = tasks.filter(({ cells }) => cells.findLast((cell) => cell !== null) === 'alone').length;
  return `The expert has left ${String(alone)} of ${countText(tasks.length, 'task')}`;
}
