// Which figures a bench has, drawn from its summary alone.
import { armLabel, type BenchSummary } from '../shared/bench/summary.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { evaluation } from './charts/evaluation.ts';
import { lift } from './charts/lift.ts';

export function benchFigures(summary: BenchSummary): Drawing[] {
  const notes = [...summary.cautions];
  const kinds = (['solo', 'assisted'] as const).filter((kind) =>
    summary.arms.some((arm) => arm.kind === kind),
  );
  return [...kinds.map((kind) => evaluationOf(summary, kind, notes)), primaryOf(summary, notes)];
}

/** A title has no full stop. */
function primaryOf({ primary, arms }: BenchSummary, notes: string[]): Drawing {
  const { first, second, estimate, interval, tasks, is_shown, says } = primary;
  const label = `${armLabel(arms, second)} minus ${armLabel(arms, first)}`;
  const drawing = drawingOf(lift, {
    notes,
    title: says.replace(/\.$/, ''),
    outcome: 'completion, points',
    differences: [
      {
        label,
        estimate: points(estimate),
        low: points(interval?.low ?? null),
        high: points(interval?.high ?? null),
        n: tasks,
        is_shown,
      },
    ],
  });
  return { ...drawing, heading: `The primary comparison: ${label}` };
}

const points = (share: number | null): number | null => (share === null ? null : share * 100);

function evaluationOf({ arms }: BenchSummary, kind: 'solo' | 'assisted', notes: string[]): Drawing {
  const drawing = drawingOf(evaluation, {
    kind,
    notes,
    arms: arms
      .filter((arm) => arm.kind === kind)
      .map(({ label, completion, tasks, counted }) => ({
        label,
        completion: completion.estimate,
        low: completion.interval?.low ?? null,
        high: completion.interval?.high ?? null,
        tasks,
        runs: counted,
      })),
  });
  return { ...drawing, name: `evaluation-${kind}` };
}
