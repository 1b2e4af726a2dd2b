// The withdrawal map of a curriculum, the same in the console and in a report: what it leaves out, it says.
import { countText } from '../shared/countText.ts';
import type { CurriculumOverview } from '../shared/curriculum/overview.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { withdrawalMap } from './charts/withdrawalMap.ts';

type Withdrawals = { map: CurriculumOverview['map']; decisions: number; tasks: number };

/** `decisions` and `tasks`: how many there are, of which the map may hold fewer. None where the map holds no task. */
export function withdrawalFigures({ map, decisions, tasks }: Withdrawals): Drawing[] {
  if (map.tasks.length === 0) return [];
  const isShort = map.steps.length < decisions;
  const notes = [
    ...(isShort
      ? [`The last ${String(map.steps.length)} of ${countText(decisions, 'step')} are drawn.`]
      : []),
    ...(map.tasks.length < tasks
      ? [
          `${String(map.tasks.length)} of ${countText(tasks, 'task')} are drawn, first those that the expert has left.`,
        ]
      : []),
  ];
  return [drawingOf(withdrawalMap, { steps: map.steps, tasks: map.tasks, notes })];
}
