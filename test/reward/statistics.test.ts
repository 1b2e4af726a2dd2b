import { describe, expect, it } from 'vitest';
import { countPairs } from '../../src/main/reward/order.ts';
import { pearson, ranksOf, spearman } from '../../src/main/reward/statistics.ts';
import { deviationOf } from '../../src/shared/statistics/means.ts';
import { wilson } from '../../src/shared/statistics/proportions.ts';
import { createChance } from '../support/interleaving.ts';

describe('a correlation', () => {
  it('is 1 for a straight line, and by ranks for any rising one', () => {
    expect(pearson([1, 2, 3], [10, 20, 30])).toBeCloseTo(1, 12);
    expect(spearman([1, 2, 3, 4], [1, 8, 27, 64])).toBeCloseTo(1, 12);
    expect(spearman([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1, 12);
  });

  it('gives ties the mean of their ranks', () => {
    expect([...ranksOf([3, 1, 3, 2])]).toEqual([3.5, 1, 3.5, 2]);
    expect([...ranksOf([])]).toEqual([]);
  });

  it('with yes or no is the difference of the means in units of the spread', () => {
    // (mean of yes - mean of no) / population sd * sqrt(p q), by hand: (4 - 2) / sqrt(2) * 0.5.
    expect(pearson([1, 3, 3, 5], [0, 0, 1, 1])).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it('is not defined where a side does not vary, or nothing is there', () => {
    expect(pearson([0.1, 0.1, 0.1], [1, 0, 1])).toBeNull();
    expect(pearson([1, 2, 3], [1, 1, 1])).toBeNull();
    expect(spearman([], [])).toBeNull();
    expect(spearman([1], [1])).toBeNull();
  });
});

describe('spread and interval', () => {
  it('are the sample’s deviation and Wilson’s interval', () => {
    expect(deviationOf([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.138_089_9, 6);
    expect(deviationOf([1])).toBeNull();
    expect(wilson(0, 0)).toBeNull();
    expect(wilson(8, 10)?.low).toBeCloseTo(0.490_162, 5);
    expect(wilson(8, 10)?.high).toBeCloseTo(0.943_317, 5);
    expect(wilson(0, 10)?.low).toBe(0);
  });
});

describe('pairs in order', () => {
  const slow = (x: readonly number[], y: readonly number[]) => {
    const counts = { pairs: 0, kept: 0, flipped: 0, tied: 0, untied: 0 };
    for (let a = 0; a < x.length; a += 1) {
      for (let b = a + 1; b < x.length; b += 1) {
        counts.pairs += 1;
        const [was, is] = [Math.sign((x[a] ?? 0) - (x[b] ?? 0)), Math.sign((y[a] ?? 0) - (y[b] ?? 0))];
        if (was !== 0 && is !== 0) counts[was === is ? 'kept' : 'flipped'] += 1;
        else if (was !== 0) counts.tied += 1;
        else if (is !== 0) counts.untied += 1;
      }
    }
    return counts;
  };

  it('are counted as by looking at each, ties and all', () => {
    const chance = createChance(3);
    for (let round = 0; round < 300; round += 1) {
      const size = chance.below(14);
      const values = (): number[] => Array.from({ length: size }, () => chance.below(1 + chance.below(9)));
      const [x, y] = [values(), values()];
      expect(countPairs(x, y)).toMatchObject(slow(x, y));
    }
  });

  it('come to Kendall’s tau-b, null where a side tells none apart', () => {
    expect(countPairs([1, 2, 3, 4], [1, 2, 3, 4]).tau).toBe(1);
    expect(countPairs([1, 2, 3, 4], [4, 3, 2, 1]).tau).toBe(-1);
    // scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
    expect(countPairs([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]).tau).toBeCloseTo(-0.471_404_5, 6);
    expect(countPairs([1, 1, 1], [1, 2, 3]).tau).toBeNull();
    expect(countPairs([], []).tau).toBeNull();
  });
});
