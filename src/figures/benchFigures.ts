// Figures of a bench and a lift, drawn from their summaries alone.
import { armLabel, type BenchArm, type BenchSummary } from '../shared/bench/summary.ts';
import { countText } from '../shared/countText.ts';
import type { InterventionLift } from '../shared/lift/intervention.ts';
import type { LiftSummary } from '../shared/lift/summary.ts';
import type { Drawing } from './frame.ts';
import { rowChart } from './rows.ts';
import { noIntervalNote, percentOf } from './text.ts';

export function benchFigures({ arms, primary, cautions }: BenchSummary): Drawing[] {
  const { first, second, estimate, interval, tasks, is_shown: isShown, says } = primary;
  const label = `${armLabel(arms, second)} minus ${armLabel(arms, first)}`;
  return [
    ...(['solo', 'assisted'] as const).flatMap((kind) => {
      const ofKind = arms.filter((arm) => arm.kind === kind);
      return ofKind.length === 0 ? [] : [evaluation(kind, ofKind, cautions)];
    }),
    differences({
      title: says,
      heading: `The primary comparison: ${label}`,
      interval: '95 % intervals over tasks',
      notes: cautions,
      rows: [{ label, estimate, ...interval, n: countText(tasks, 'task'), isShown }],
      empty: 'There is no pair of arms with runs of the same tasks yet.',
    }),
  ];
}

/** Verifier completion with its interval. Solo and assisted runs answer different questions: they are never in one figure. */
function evaluation(kind: 'solo' | 'assisted', arms: readonly BenchArm[], notes: readonly string[]): Drawing {
  const rows = arms.map(({ label, completion: { estimate, interval }, tasks, counted }) => ({
    label,
    value: percentOf(estimate),
    low: percentOf(interval?.low),
    high: percentOf(interval?.high),
    note: `${countText(tasks, 'task')}, ${countText(counted, 'run')}`,
    colour: kind === 'solo' ? ('agent' as const) : ('human' as const),
  }));
  return rowChart({
    name: `evaluation-${kind}`,
    title:
      kind === 'solo' ? 'What the agent completes alone' : 'What the agent completes while it may be helped',
    subtitle: 'Tasks that the verifier calls complete, percent, with 95 % intervals over tasks',
    notes: [noIntervalNote(rows), ...notes],
    x: { label: 'Complete, %', domain: [0, 100] },
    shape: 'dot',
    rows,
    empty: 'No run of these arms counts yet, so there is nothing to compare.',
  });
}

/** More rows than this are no figure any more. */
const ROWS_MAX = 30;

export function liftFigures({
  overall,
  interventions,
  cautions,
}: Pick<LiftSummary, 'overall' | 'interventions' | 'cautions'>): Drawing[] {
  const measured = interventions
    .filter(({ estimate }) => estimate !== null)
    .toSorted((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0));
  const left = measured.length - ROWS_MAX;
  const all = measured.reduce((sum, one) => sum + countedOf(one), 0);
  return [
    differences({
      title: overall.says,
      heading: 'Lift of each answer',
      interval: '95 % intervals',
      notes: [
        left > 0
          ? `${countText(left, 'more intervention')} ${left === 1 ? 'is' : 'are'} in results_summary.json.`
          : '',
        ...cautions,
      ],
      rows: [
        {
          ...overall,
          label: 'Mean over interventions',
          n: countText(all, 'continuation'),
          isShown: overall.is_shown,
        },
        ...measured.slice(0, ROWS_MAX).map((one) => ({
          ...one,
          label: labelOf(one),
          n: countText(countedOf(one), 'continuation'),
          isShown: one.low !== null && one.high !== null && (one.low > 0 || one.high < 0),
        })),
      ],
      empty: 'No intervention was measured yet.',
    }),
  ];
}

const countedOf = (one: InterventionLift): number => one.with.counted + one.without.counted;

const labelOf = ({ scenario, task_idx, episode, turn }: InterventionLift): string =>
  `${scenario ?? episode}${task_idx === null ? '' : ` #${String(task_idx)}`}, turn ${String(turn)}`;

/** Shares from 0 to 1; `n`: over how many of what. */
type Difference = {
  label: string;
  estimate: number | null;
  low?: number | null;
  high?: number | null;
  n: string;
  isShown: boolean;
};

/** Differences between two arms, or with and without one answer, against the line where there is none. */
function differences({
  title,
  heading,
  interval,
  notes,
  rows,
  empty,
}: {
  title: string;
  heading: string;
  interval: string;
  notes: readonly string[];
  rows: readonly Difference[];
  empty: string;
}): Drawing {
  const bare = rows.filter(({ estimate, low = null }) => estimate !== null && low === null).length;
  return rowChart({
    name: 'lift',
    // A title has no full stop.
    title: title.replace(/\.$/, ''),
    heading,
    subtitle: `Difference in completion, points, with ${interval}`,
    notes: [
      bare > 0 ? `${String(bare)} without an interval: descriptive only.` : '',
      'An interval that holds zero shows no difference; it does not show that there is none.',
      ...notes,
    ],
    x: { label: 'Difference, completion, points' },
    shape: 'dot',
    level: { x: 0, label: 'no difference' },
    rows: rows.map(({ label, estimate, low, high, n, isShown }) => ({
      label,
      value: percentOf(estimate),
      low: percentOf(low),
      high: percentOf(high),
      note: `${n}${isShown ? '' : ', not shown'}`,
      colour: isShown ? 'human' : 'system',
    })),
    empty,
  });
}
