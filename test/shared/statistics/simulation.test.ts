import { describe, expect, it } from 'vitest';
import { bootstrapMean } from '../../../src/shared/statistics/bootstrap.ts';
import {
  leastMeanDifference,
  leastPairedDifference,
  POWER,
  powerOfMeans,
  powerOfPairs,
} from '../../../src/shared/statistics/power.ts';
import { mcnemarExact, pairedDifference } from '../../../src/shared/statistics/proportions.ts';
import { seededRandom, shuffled, xoshiro128 } from '../../../src/shared/statistics/random.ts';
import { signFlip } from '../../../src/shared/statistics/signFlip.ts';
import { signFlipInterval } from '../../../src/shared/statistics/signFlipInterval.ts';
import { plantedDeviation, plantedGains, shareOf, shareOfPairs } from '../../support/plantedTasks.ts';

const NONE = { tasks: 30, seeds: 5, difference: 0, spread: 0.2 };
const SOME = { ...NONE, difference: 0.15 };
const spread = () => ({ deviation: plantedDeviation(SOME), tasks: SOME.tasks, step: 1 / SOME.seeds });

describe('random numbers', () => {
  it('are those of xoshiro128** as its authors publish them', () => {
    const next = xoshiro128([1, 2, 3, 4]);
    expect(Array.from({ length: 6 }, next)).toEqual([11520, 0, 5927040, 70819200, 2031721883, 1637235492]);
  });

  it('depend on the seed alone, and put a list in an order', () => {
    const values = Array.from({ length: 20 }, (_, at) => at);
    const order = shuffled(values, seededRandom('a'));
    expect(order).toEqual(shuffled(values, seededRandom('a')));
    expect(order).not.toEqual(shuffled(values, seededRandom('b')));
    expect(order.toSorted((a, b) => a - b)).toEqual(values);
  });
});

const intervalOf = (differences: readonly number[]) =>
  signFlipInterval(differences.map((sum) => ({ sum, count: 1 })));

describe('the interval of a difference over tasks', () => {
  it.each([7, 30])('covers the truth in at least 93 of 100 data sets of %i tasks', (tasks) => {
    const covered = shareOf(1_000, { ...SOME, tasks }, (differences) => {
      const interval = intervalOf(differences);
      return interval !== null && interval.low <= SOME.difference && SOME.difference <= interval.high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  });

  it.each([5, 7, 12])('of %i tasks leaves zero out just where the test rejects it', (tasks) => {
    const contradictions = shareOf(400, { ...SOME, tasks, difference: 0.2 }, (differences) => {
      const interval = intervalOf(differences);
      const leavesZeroOut = interval !== null && (interval.low > 0 || interval.high < 0);
      return interval !== null && leavesZeroOut !== signFlip(differences).p < 0.05;
    });
    expect(contradictions).toBe(0);
  });

  it('is the set of all differences that the test would not reject, tried one by one', () => {
    // The same by another road: the test itself, of the differences less each supposed value.
    for (const differences of [
      [0.2, 0.4, -0.2, 0.6, 0.8, 0, 1, 0.4],
      [0.13, 0.41, -0.222, 0.64, 0.81, 0.05, 0.97, -0.3, 0.31],
    ]) {
      const { low, high } = intervalOf(differences) ?? { low: 0, high: 0 };
      const isKept = (value: number): boolean => signFlip(differences.map((one) => one - value)).p >= 0.05;
      expect([low + 1e-6, high - 1e-6].map(isKept)).toEqual([true, true]);
      expect([low - 1e-6, high + 1e-6].map(isKept)).toEqual([false, false]);
    }
  });

  it('has no end where the tasks are too few for any claim, and is none where all came out alike', () => {
    expect(intervalOf([1, 0, 1, 1, 0])).toEqual({ low: -Infinity, high: Infinity });
    expect(intervalOf([0.2, 0.2, 0.2])).toBeNull();
    expect(intervalOf([0.2])).toBeNull();
  });

  it('is drawn where subsets cannot be counted out, and agrees with what counting gives', () => {
    const differences = Array.from({ length: 16 }, (_, at) => Math.sin(at * at) / 2 + 0.1);
    const counted = intervalOf(differences) ?? { low: 0, high: 0 };
    const twice = intervalOf([...differences, ...differences]) ?? { low: 0, high: 0 };
    expect((twice.high - twice.low) / (counted.high - counted.low)).toBeCloseTo(Math.SQRT1_2, 1);
    expect(intervalOf([...differences, ...differences].toReversed())).toEqual(twice);
  });
});

describe('an interval over tasks', () => {
  it('covers the truth in at least 93 of 100 data sets of 30 tasks', () => {
    // `npm run perf` does this with 10,000 data sets.
    const covered = shareOf(1_000, SOME, (differences) => {
      const interval = bootstrapMean(differences, { draws: 1_000 });
      return interval !== null && interval.low <= SOME.difference && SOME.difference <= interval.high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  });

  it('is none where every task came out alike', () => {
    expect(bootstrapMean([0, 0, 0])).toBeNull();
    expect(bootstrapMean([0.4])).toBeNull();
  });

  it('is the same for the same values in another order', () => {
    const values = [0, 0.2, 0.4, -0.2, 0.6];
    expect(bootstrapMean(values.toReversed())).toEqual(bootstrapMean(values));
  });
});

describe('over 1,000 planted data sets', () => {
  const isShown = (differences: number[]): boolean => signFlip(differences).p < 0.05;

  it('a difference is claimed where there is none in at most 5 of 100, within the error of the simulation', () => {
    // 1.4 points is two standard errors of a share of 5 % over 1,000. An exact test claims less than it may.
    expect(shareOf(1_000, NONE, isShown)).toBeLessThan(0.05 + 0.014);
  });

  it('the power found is within 3 points of the power stated', () => {
    const stated = powerOfMeans(SOME.difference, spread());
    expect(stated).toBeGreaterThan(0.5);
    expect(Math.abs(shareOf(1_000, SOME, isShown) - stated)).toBeLessThan(0.03);
  });

  it('a difference as large as the least one stated is shown four times of five', () => {
    const least = leastMeanDifference(spread()) ?? 0;
    const found = shareOf(1_000, { ...SOME, difference: least }, isShown);
    expect(Math.abs(found - POWER)).toBeLessThan(0.03);
  });
});

describe('over 1,000 planted data sets of one run per task', () => {
  const once = { ...SOME, tasks: 40, seeds: 1 };
  const isShown = (pairs: Parameters<typeof mcnemarExact>[0]): boolean => mcnemarExact(pairs) < 0.05;

  it('Newcombe’s interval covers the truth in at least 93 of 100', () => {
    const covered = shareOfPairs(1_000, once, (pairs) => {
      const interval = pairedDifference(pairs);
      return interval !== null && interval.low <= once.difference && once.difference <= interval.high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  });

  it('no more than 5 of 100 claim what is not there, and the power is within 3 points of the power stated', () => {
    expect(shareOfPairs(1_000, { ...once, difference: 0 }, isShown)).toBeLessThan(0.05 + 0.014);
    const { gained, lost } = plantedGains(once);
    const stated = powerOfPairs(gained, lost, once.tasks);
    expect(Math.abs(shareOfPairs(1_000, once, isShown) - stated)).toBeLessThan(0.03);
  });
});

describe('what a comparison could have shown', () => {
  it('agrees with the printed sample size for a medium effect', () => {
    // Cohen's d = 0.5, paired, two-sided, 5 %: 34 pairs have a power of 0.808.
    expect(powerOfMeans(0.5, { deviation: 1, tasks: 34, step: 0 })).toBeCloseTo(0.8078, 4);
  });

  it('of one run per task is counted out: six tasks of a kind are needed', () => {
    // With no task lost, McNemar claims a difference from six gained ones on.
    expect(powerOfPairs(0.2, 0, 5)).toBe(0);
    expect(powerOfPairs(1, 0, 6)).toBeCloseTo(1, 12);
    const least = leastPairedDifference(0, 33) ?? 0;
    expect(powerOfPairs(least, 0, 33)).toBeCloseTo(POWER, 6);
    expect(least).toBeGreaterThan(0.2);
    expect(leastPairedDifference(0, 5)).toBeNull();
  });

  it('is not known where nothing varied', () => {
    expect(leastMeanDifference({ deviation: 0, tasks: 30, step: 0.2 })).toBeNull();
    expect(leastMeanDifference({ deviation: 0.3, tasks: 1, step: 0.2 })).toBeNull();
  });
});
