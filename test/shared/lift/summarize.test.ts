import { describe, expect, it } from 'vitest';
import { liftSentence } from '../../../src/shared/lift/liftSentence.ts';
import { cellsOfLift, type LiftPlan, type LiftPoint } from '../../../src/shared/lift/plan.ts';
import { summarizeLift, type Continuation } from '../../../src/shared/lift/summarize.ts';
import { LiftSummary } from '../../../src/shared/lift/summary.ts';
import { independentDifference } from '../../../src/shared/statistics/proportions.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';
import { signFlipInterval, type TaskSum } from '../../../src/shared/statistics/signFlipInterval.ts';
import { liftRequest } from '../../support/plantedLift.ts';
import { coverageOf, plantedLifts, TRUE_LIFT } from '../../support/plantedLifts.ts';

const SETS = 1_000;

const pointOf = (episode: string, over: Partial<LiftPoint> = {}): LiftPoint => ({
  episode,
  consultation: `${episode}:c1`,
  turn: 2,
  environment: 'builtin',
  scenario: 'planted_1',
  task_idx: Number(episode.slice(1)),
  advised_by: 'human',
  is_privileged: false,
  model: 'planted',
  ...over,
});
const planOf = (points: LiftPoint[], k = 4): LiftPlan => ({
  name: 'worth',
  request: liftRequest({ k }),
  points,
  eligible: points.length,
  not_eligible: {},
});

/** Every continuation of a plan; the first `aided` and `alone` of each arm complete. */
const continuationsOf = (
  plan: LiftPlan,
  { aided, alone }: { aided: number; alone: number },
  over: (one: Continuation) => Partial<Continuation> = () => ({}),
): Continuation[] =>
  cellsOfLift(plan).map(({ point, arm, number }) => {
    const one: Continuation = {
      consultation: point.consultation,
      arm,
      number,
      exclusion: null,
      isComplete: number <= (arm === 'with' ? aided : alone),
      transcript: `${arm} ${String(number)}`,
      model: 'planted',
      isRehearsal: false,
    };
    return { ...one, ...over(one) };
  });

describe('the interval of one intervention', () => {
  it.each([
    // Newcombe (1998), Statistics in Medicine 17, table II, method 10: examples a, d and h.
    [[56, 70], [48, 80], 0.0524, 0.3339],
    [[5, 56], [0, 29], -0.0381, 0.1926],
    [[10, 10], [0, 10], 0.6075, 1],
  ] as const)('is the published one for %j against %j', ([a, m], [b, n], low, high) => {
    const found = independentDifference({ successes: b, total: n }, { successes: a, total: m });

    expect(found?.low).toBeCloseTo(low, 4);
    expect(found?.high).toBeCloseTo(high, 4);
  });

  it('covers the truth in 95 of 100 on average over all chances, and never in fewer than 87', () => {
    // Counted out, not drawn. `npm run perf` prints it for other numbers of continuations.
    const { mean, least } = coverageOf(4);
    expect(mean).toBeGreaterThan(0.94);
    expect(least).toBeGreaterThan(0.87);
  });
});

const taskSums = (groups: readonly (readonly number[])[]): TaskSum[] =>
  groups.map((own) => ({ sum: own.reduce((all, one) => all + one, 0), count: own.length }));

describe('the interval of the mean', () => {
  it('covers the truth in at least 93 of 100 data sets, several interventions of one task among them', () => {
    const random = seededRandom('lifts');
    const sets = Array.from({ length: SETS }, () => plantedLifts(20, 3, 4, random));
    const coverage = (of: readonly number[][][]): number => {
      const covering = of.filter((groups) => {
        const interval = signFlipInterval(taskSums(groups));
        return interval !== null && interval.low <= TRUE_LIFT && TRUE_LIFT <= interval.high;
      });
      return covering.length / of.length;
    };
    const grouped = coverage(sets);
    const pooled = coverage(sets.slice(0, 250).map((groups) => groups.flat().map((one) => [one])));

    expect(grouped).toBeGreaterThan(0.93);
    // Counted one by one, as if a task's interventions had nothing in common, they would not.
    expect(pooled).toBeLessThan(0.91);
  });

  it('is none of one task', () => {
    expect(signFlipInterval(taskSums([[0.5, 0.25]]))).toBeNull();
  });
});

describe('what an answer was worth', () => {
  it('is the difference of the shares, with its interval, and said in plain words', () => {
    const plan = planOf([pointOf('e1')]);
    const { interventions, overall } = summarizeLift(plan, continuationsOf(plan, { aided: 4, alone: 1 }));

    expect(interventions).toMatchObject([
      {
        kind: 'causal',
        reason: null,
        estimate: 0.75,
        with: { counted: 4, complete: 4 },
        without: { complete: 1 },
      },
    ]);
    expect(liftSentence(interventions[0]!)).toBe(
      'With this advice 4 of 4 completed, without 1 of 4: lift 75 points (95 % interval 9 to 95).',
    );
    expect(overall).toMatchObject({ interventions: 1, tasks: 1, estimate: 0.75, low: null, is_shown: false });
  });

  it('is descriptive, without an interval and in no mean, where too few continuations count', () => {
    const plan = planOf([pointOf('e1'), pointOf('e2')]);
    const observed = continuationsOf(plan, { aided: 4, alone: 0 }, (one) =>
      one.consultation === 'e2:c1' && one.arm === 'without' && one.number > 2 ? { exclusion: 'drifted' } : {},
    );
    const summary = summarizeLift(plan, observed);

    expect(summary.interventions[1]).toMatchObject({
      kind: 'descriptive',
      reason: 'too_few',
      estimate: 1,
      low: null,
      high: null,
      excluded: { drifted: 2 },
    });
    expect(liftSentence(summary.interventions[1]!)).toBe(
      'With this advice 4 of 4 completed, without 0 of 2. Descriptive only: fewer than 3 continuations count in an arm. 2 left out (drifted 2).',
    );
    expect(summary.overall.interventions).toBe(1);
    expect(summary.excluded).toEqual({ with: {}, without: { drifted: 2 } });
  });

  it('is descriptive where the agent did the same every time, whatever came of it', () => {
    const plan = planOf([pointOf('e1'), pointOf('e2')]);
    const same = continuationsOf(plan, { aided: 4, alone: 0 }, ({ arm }) => ({ transcript: arm }));
    const { interventions, overall, cautions } = summarizeLift(plan, same);

    expect(interventions.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['descriptive', 'not_resampled'],
      ['descriptive', 'not_resampled'],
    ]);
    expect(overall).toMatchObject({ interventions: 0, estimate: null });
    expect(overall.says).toBe('No intervention has a causal figure: nothing is shown.');
    expect(cautions.join()).toContain('nothing was drawn anew');
  });

  it('is measured over tasks: two interventions of one task are not two pieces of evidence', () => {
    const apart = planOf(['e1', 'e2', 'e3', 'e4', 'e5', 'e6'].map((id) => pointOf(id)));
    const together = planOf(apart.points.map((point, at) => ({ ...point, task_idx: at % 2 })));
    const [six, two] = [apart, together].map(
      (plan) => summarizeLift(plan, continuationsOf(plan, { aided: 4, alone: 1 })).overall,
    );

    expect(six).toMatchObject({ tasks: 6, estimate: 0.75, p: 0.03125, is_shown: true });
    expect(two).toMatchObject({ tasks: 2, estimate: 0.75, p: 0.5, is_shown: false });
    expect(two?.says).toMatch(/^No lift is shown: 75\.0 points .* That does not show that there is none\.$/);
  });

  it('is the same bytes for the same continuations, whatever their order, and reads back', () => {
    const plan = planOf([pointOf('e1'), pointOf('e2', { is_privileged: true, model: 'other' })]);
    const observed = continuationsOf(plan, { aided: 3, alone: 1 });
    const summary = summarizeLift(plan, observed);

    expect(summarizeLift(plan, observed.toReversed())).toEqual(summary);
    expect(LiftSummary.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
    expect(summary.cautions.join('\n')).toMatch(/PRIVILEGED: in 1 of 2[\s\S]*In 1 of 2 another model asked/);
  });
});
