import { describe, expect, it } from 'vitest';
import { holm } from '../../../src/shared/statistics/holm.ts';
import { mcnemarExact, pairedDifference, wilson } from '../../../src/shared/statistics/proportions.ts';
import { signFlip } from '../../../src/shared/statistics/signFlip.ts';

const many = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

const counts = (both: number, onlyFirst: number, onlySecond: number, neither: number) => ({
  both,
  onlyFirst,
  onlySecond,
  neither,
});

describe('McNemar’s exact test', () => {
  it('gives the published values', () => {
    // Armitage and Berry 1994, p. 127 (two media for cultures): P = 0.0129.
    expect(mcnemarExact({ onlyFirst: 12, onlySecond: 2 })).toBeCloseTo(0.0129, 4);
    // Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91 (airway responses): P = 0.0703.
    expect(mcnemarExact({ onlyFirst: 1, onlySecond: 7 })).toBeCloseTo(0.0703, 4);
  });

  it('agrees with the table of the binomial for one half, row by row', () => {
    // Chances of k or fewer heads of n, as in any table: C(n, 0..k) / 2^n.
    for (const [n, k, below] of [
      [5, 0, 1 / 32],
      [6, 0, 1 / 64],
      [8, 1, 9 / 256],
      [10, 2, 56 / 1024],
      [12, 3, 299 / 4096],
      [20, 5, 21_700 / 1_048_576],
    ] as const)
      expect(mcnemarExact({ onlyFirst: k, onlySecond: n - k })).toBeCloseTo(2 * below, 12);
    expect(mcnemarExact({ onlyFirst: 0, onlySecond: 0 })).toBe(1);
    expect(mcnemarExact({ onlyFirst: 4, onlySecond: 4 })).toBe(1);
  });
});

describe('the interval of a paired difference', () => {
  it('is Newcombe’s, as he published it', () => {
    // Newcombe 1998, table III, method 10: 36, 12, 2, 0 of 50: 0.20 (0.0569 to 0.3404), here with the sides turned.
    const found = pairedDifference(counts(36, 2, 12, 0));
    expect(found?.estimate).toBeCloseTo(0.2, 12);
    expect(found?.low).toBeCloseTo(0.0569, 4);
    expect(found?.high).toBeCloseTo(0.3404, 4);
  });

  it('stays around 0 where 1 of 33 stands against 1 of 33', () => {
    const found = pairedDifference(counts(1, 0, 0, 32));
    expect(found?.estimate).toBe(0);
    expect(found?.low).toBeLessThan(-0.05);
    expect(found?.high).toBeGreaterThan(0.05);
    expect(pairedDifference(counts(0, 0, 0, 0))).toBeNull();
  });

  it('of one share is Wilson’s: 1 of 33 is 0.5 to 15.3 %', () => {
    expect(wilson(1, 33)?.low).toBeCloseTo(0.0054, 4);
    expect(wilson(1, 33)?.high).toBeCloseTo(0.1532, 4);
  });
});

describe('the sign-flip test', () => {
  it('gives Fisher’s count for Darwin’s maize', () => {
    // Fisher 1935, section 21: 863 of 32,768 sums are as large or larger, so two-sided twice that.
    const heights = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlip(heights)).toEqual({ p: 1726 / 32_768, method: 'exact' });
    // Numbers that are no multiples of a fraction are enumerated, and come to the same.
    expect(signFlip(heights.map((one) => one * Math.PI)).p).toBeCloseTo(1726 / 32_768, 12);
  });

  it('says 1 where no task came out differently, and needs six of a kind for 5 %', () => {
    expect(signFlip([])).toEqual({ p: 1, method: 'exact' });
    expect(signFlip(many(33, 0))).toEqual({ p: 1, method: 'exact' });
    expect(signFlip(many(5, 0.2)).p).toBe(0.0625);
    expect(signFlip([...many(6, 0.2), 0, 0]).p).toBe(0.031_25);
  });

  it('with one run per task is McNemar’s exact test', () => {
    const differences = [...many(7, 1), -1, 0, 0, 0];
    expect(signFlip(differences).p).toBeCloseTo(mcnemarExact({ onlyFirst: 1, onlySecond: 7 }), 12);
  });

  it('draws where there are too many to count, never says 0, and says the same for the same differences in another order', () => {
    const differences = Array.from({ length: 30 }, (_, at) => Math.sqrt(at + 2) / 10);
    const found = signFlip(differences);
    expect(found).toEqual({ p: 1 / 10_000, method: 'monte_carlo' });
    const mixed = differences.map((one, at) => (at % 3 === 0 ? -one : one));
    expect(signFlip(mixed.toReversed())).toEqual(signFlip(mixed));
    // The same drawn from the exact distribution of rounded values.
    const exact = signFlip(mixed.map((one) => Math.round(one * 100) / 100));
    expect(exact.method).toBe('exact');
    expect(Math.abs(signFlip(mixed).p - exact.p)).toBeLessThan(0.015);
  });
});

it('several tests at once are adjusted as Holm does', () => {
  // Four tests of an often printed example: only the first and the last stay below 5 %.
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(12)))).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(holm([])).toEqual([]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
});
