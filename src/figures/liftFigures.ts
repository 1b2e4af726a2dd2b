// The figure of a lift, drawn from its summary alone.
import type { InterventionLift } from '../shared/lift/intervention.ts';
import { countText } from '../shared/countText.ts';
import type { LiftSummary } from '../shared/lift/summary.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { lift } from './charts/lift.ts';

/** More rows than this are no figure any more. */
const ROWS_MAX = 30;

export function liftFigures({ overall, interventions, cautions }: LiftSummary): Drawing[] {
  const measured = interventions
    .filter(({ estimate }) => estimate !== null)
    .toSorted((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0));
  const left = measured.length - ROWS_MAX;
  const drawing = drawingOf(lift, {
    of: 'interventions',
    title: overall.says.replace(/\.$/, ''),
    outcome: 'completion, points',
    notes: [
      ...(left > 0
        ? [`${countText(left, 'more intervention')} ${left === 1 ? 'is' : 'are'} in results_summary.json.`]
        : []),
      ...cautions,
    ],
    differences: [
      {
        label: 'Mean over interventions',
        estimate: points(overall.estimate),
        low: points(overall.low),
        high: points(overall.high),
        n: measured.reduce((sum, one) => sum + countedOf(one), 0),
        is_shown: overall.is_shown,
      },
      ...measured.slice(0, ROWS_MAX).map((one) => ({
        label: labelOf(one),
        estimate: points(one.estimate),
        low: points(one.low),
        high: points(one.high),
        n: countedOf(one),
        is_shown: one.low !== null && one.high !== null && (one.low > 0 || one.high < 0),
      })),
    ],
  });
  return [{ ...drawing, heading: 'Lift of each answer' }];
}

const points = (share: number | null): number | null => (share === null ? null : share * 100);
const countedOf = (one: InterventionLift): number => one.with.counted + one.without.counted;

const labelOf = ({ scenario, task_idx, episode, turn }: InterventionLift): string =>
  `${scenario ?? episode}${task_idx === null ? '' : ` #${String(task_idx)}`}, turn ${String(turn)}`;
