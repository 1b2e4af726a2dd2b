// The power over a few tasks against every data set there can be, counted one by one.
import { describe, expect, it } from 'vitest';
import { summarize } from '../../../src/shared/bench/summarize.ts';
import { binomialChance } from '../../../src/shared/statistics/distributions.ts';
import { createPowerOfFew, leastDifferenceOfFew, tiltedTo } from '../../../src/shared/statistics/fewTasks.ts';
import { meanOf } from '../../../src/shared/statistics/means.ts';
import { leastPairedDifference } from '../../../src/shared/statistics/power.ts';
import { signFlip } from '../../../src/shared/statistics/signFlip.ts';
import { benchPlan, observedEpisodes } from '../../support/observedEpisodes.ts';

const HALF_OF_8 = [0, 0, 0, 0, 1, 1, 1, 1];
const HALF_OF_6 = [0, 0, 0, 1, 1, 1];
const MIXED = [-0.2, 0, 0.2, 0.2, 0.4, 0.6, 0.8];
/** The error of a share over 1,000 draws, twice. */
const ERROR = 0.032;

/** Every way in which so many tasks can come out, and how likely it is: the power without a drawn number. */
function countedPower(difference: number, observed: readonly number[]): number {
  const { values, shares } = tiltedTo(difference, observed);
  const below = (tasks: number, at: number, drawn: number[], chance: number): number => {
    if (at === values.length - 1) {
      const all = [...drawn, ...Array.from({ length: tasks }, () => values[at] ?? 0)];
      return signFlip(all).p < 0.05 ? chance : 0;
    }
    const left = shares.slice(at).reduce((sum, one) => sum + one, 0);
    let sum = 0;
    for (let count = 0; count <= tasks; count += 1) {
      const own = binomialChance(count, tasks, (shares[at] ?? 0) / left);
      const next = [...drawn, ...Array.from({ length: count }, () => values[at] ?? 0)];
      sum += below(tasks - count, at + 1, next, chance * own);
    }
    return sum;
  };
  return below(observed.length, 0, [], 1);
}

describe('the power over a few tasks', () => {
  it('is what counting every data set gives: half at 68 points of 8 tasks, a third at 82.4 points of 6', () => {
    expect(countedPower(0.68, HALF_OF_8)).toBeCloseTo(0.5, 2);
    expect(countedPower(0.824, HALF_OF_6)).toBeCloseTo(0.824 ** 6, 6);
    for (const [difference, observed] of [
      [0.68, HALF_OF_8],
      [0.824, HALF_OF_6],
      [0.3, MIXED],
      [0.5, MIXED],
      [0.7, MIXED],
    ] as const) {
      const found = createPowerOfFew(observed)(difference);
      expect(Math.abs(found - countedPower(difference, observed))).toBeLessThan(ERROR);
    }
  });

  it('is four of five at the least difference that is stated, whichever arm is ahead', () => {
    const least = leastDifferenceOfFew(MIXED) ?? 0;
    expect(Math.abs(countedPower(least, MIXED) - 0.8)).toBeLessThan(ERROR);
    expect(leastDifferenceOfFew(MIXED.map((one) => -one))).toBe(least);
  });

  it('is none below six tasks, where not even every task solved is shown', () => {
    expect(leastDifferenceOfFew([0.2, 0.4, 0.2, 0.6, 0.4])).toBeNull();
  });

  it('draws from what tasks did, at the mean that is asked for', () => {
    const { values, shares } = tiltedTo(0.45, MIXED);
    expect(values).toEqual([...new Set([...MIXED, 1])]);
    expect(meanOf(values.map((value, at) => value * (shares[at] ?? 0) * values.length))).toBeCloseTo(0.45, 9);
  });
});

describe('what a bench of 8 tasks could have shown', () => {
  it('is no more with two runs that come out alike than with one', () => {
    const stated = [[0], [0, 1]].map((seeds) => {
      const plan = benchPlan({ seeds, tasks: benchPlan().tasks.slice(0, 8) });
      const isComplete = ({ arm, task_idx }: { arm: string; task_idx: number }): boolean =>
        arm === 'model' && task_idx < 4;
      const { primary } = summarize(
        plan,
        observedEpisodes(plan, (cell) => ({ isComplete: isComplete(cell) })),
      );
      return primary.power.least_difference;
    });
    expect(stated).toEqual([leastPairedDifference(0, 8), leastPairedDifference(0, 8)]);
  });
});
