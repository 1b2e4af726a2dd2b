// Long runs, runs of one step, and several runs in the same figures.
import { describe, expect, it } from 'vitest';
import { COMPARED_MAX, comparisonFigures } from '../../src/figures/comparisonFigures.ts';
import type { FigureOptions } from '../../src/figures/frame.ts';
import { POINTS_MAX } from '../../src/figures/plot.ts';
import { rewardPoints } from '../../src/figures/runSeries.ts';
import type { Figure } from '../../src/figures/scene.ts';
import { trainingFigures } from '../../src/figures/trainingFigures.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';
import { emptyStep, type TrainingRun } from '../../src/shared/training/run.ts';
import { runOf } from './examples.ts';
import { classed, textsOf } from './support.ts';

const LIGHT = { width: 600, theme: 'light' } as const;
const curveOf = (run: TrainingRun) => {
  const [curve] = trainingFigures(run);
  if (curve === undefined) throw new Error('no curve');
  return curve.draw(LIGHT);
};

describe('a run of 10,000 steps', () => {
  const spiked = runOf('long', 10_000, (step) => ({ reward: step === 4_321 ? 9 : Math.sin(step / 700) }));

  it('is drawn with a few hundred of its own points, its highest among them, and says so', () => {
    const figure = curveOf(spiked);
    expect(figure.points.length).toBeLessThanOrEqual(POINTS_MAX + 2);
    const told = figure.points.map(({ text }) => text);
    expect(told).toContain('long. Training step 4,321: Reward 9');
    expect(told[0]).toContain('Training step 1: Reward 0.00143');
    expect(told.at(-1)).toContain('Training step 10,000: Reward 0.989');
    expect(textsOf(figure)).toContain('Of 10,000 points, the lowest and the highest of every 34 are drawn');
    expect(figure.table.rows).toHaveLength(10_000);
  });
});

describe('the interval of a step', () => {
  it('is Student’s over the rollouts that have a reward, of which two or three would flatten the curve', () => {
    // 8 rollouts, 4 with a reward: the textbook quantile of t with 3 degrees is 3.182.
    const step = { ...emptyStep(1), reward: 0.5, reward_sd: 1, rollouts: 8, rewarded: 4 };
    const [point] = rewardPoints([step]);
    expect((point?.high ?? 0) - 0.5).toBeCloseTo(3.182 / 2, 3);
    const lows = [1, 2, 3, 4].map((rewarded) => typeof rewardPoints([{ ...step, rewarded }])[0]?.low);
    expect(lows).toEqual(['undefined', 'undefined', 'undefined', 'number']);
  });

  it('of a group of equal rewards is a hollow mark, and the figure counts them', () => {
    const figure = curveOf(
      runOf('r', 4, (step) => ({ reward: step, groups: 2, flat_groups: step === 2 ? 1 : 0 })),
    );
    expect(textsOf(figure)).toContain('Hollow marks: in 1 of 4 steps');
    const fills = classed(figure, 'mark').map(({ attributes }) => attributes['fill']);
    expect(new Set(fills).size).toBe(2);
    expect(fills[1]).toBe('#ffffff');
  });
});

describe('several runs', () => {
  const runs = Array.from({ length: COMPARED_MAX }, (_, at) =>
    runOf(`run ${String(at + 1)}`, 3 + at, (step) => ({
      reward: step / 10 + at,
      format_error_rate: 0.5,
      judged: 8,
      completed: at,
    })),
  );

  it('are in one figure on the same axes, each named at its line, and no winner is named', () => {
    const figures = comparisonFigures(runs).map((drawing) => drawing.draw(LIGHT));
    expect(figures.map(({ name }) => name)).toEqual(['reward-curves', 'completions', 'format-errors']);
    for (const figure of figures) {
      expect(textsOf(figure)).toContain('run 6');
      expect(textsOf(figure)).toContain('may be chance');
    }
    const styles = classed(figures[0] ?? curveOf(runs[0] ?? PUBLIC_EXAMPLE), 'mark').map(
      ({ tag, attributes }) =>
        `${tag} ${String(attributes['d'] ?? '').replaceAll(/[-\d.]+/g, '')} ${String(attributes['fill'])}`,
    );
    expect(new Set(styles).size).toBe(COMPARED_MAX);
  });

  it('with the published example still tell of the run without an expert', () => {
    const [figure] = comparisonFigures([PUBLIC_EXAMPLE, ...runs.slice(0, 1)]);
    const text = textsOf(figure?.draw(LIGHT) ?? curveOf(PUBLIC_EXAMPLE));
    expect(text).toContain('Example: The same source trained for 48 steps');
    expect(text).toContain('55.2 % at step 48');
    expect(text).toContain('no common scale');
    // Its curve without an expert is not drawn here.
    expect(text).not.toContain('the two curves');
  });

  it('say which of them has an interval and of what kind', () => {
    const measured = runOf('measured', 3, (step) => ({ reward: step, reward_sd: 1, rollouts: 8 }));
    const [mixed] = comparisonFigures([measured, ...runs.slice(0, 1)]);
    const [whole] = comparisonFigures([measured, { ...measured, run: 'again' }]);
    const kind = 'Lines: 95 % interval of the mean over the rollouts of a step';
    expect(textsOf(mixed?.draw(LIGHT) ?? curveOf(measured))).toContain(
      `${kind} of measured. No interval is known of run 1.`,
    );
    expect(textsOf(whole?.draw(LIGHT) ?? curveOf(measured))).toContain(`${kind}.`);
  });
});

it('the published example speaks of two curves only where both are drawn', () => {
  const speaking = trainingFigures(PUBLIC_EXAMPLE)
    .map((drawing) => drawing.draw(LIGHT))
    .filter((figure) => textsOf(figure).includes('the two curves'));
  expect(speaking.map(({ name }) => name)).toEqual(['reward-curves']);
});

describe('a run that is watched', () => {
  const watched = (rewards: readonly number[], options: Partial<FigureOptions> = {}) => {
    const run = runOf('r', rewards.length, (step) => ({ reward: rewards[step - 1] ?? 0 }));
    const [curve] = trainingFigures(run);
    if (curve === undefined) throw new Error('no curve');
    return curve.draw({ width: 800, theme: 'light', ...options });
  };
  const heights = (figure: Figure): unknown[] =>
    classed(figure, 'y-tick').map(({ attributes }) => attributes['data-value']);

  it('keeps the axis it has shown when the mean of a new step falls back', () => {
    const wide = watched([0.2, 0.9]);
    const back = [0.2, 0.3];

    expect(heights(watched(back))).not.toEqual(heights(wide));
    expect(heights(watched(back, { yLeast: wide.yShown ?? undefined }))).toEqual(heights(wide));
    // A higher one is shown all the same.
    expect(heights(watched([0.2, 4], { yLeast: wide.yShown ?? undefined })).at(-1)).toBe(4);
  });

  it('says at which reward it stayed', () => {
    expect(watched([0.5, 0.5]).title).toBe('r: reward stayed at 0.5 from step 1 to step 2');
  });
});
