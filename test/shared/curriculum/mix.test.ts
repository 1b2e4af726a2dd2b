import { describe, expect, it } from 'vitest';
import {
  drawTasks,
  learningProgress,
  mixWeights,
  progressAfter,
  reweighted,
  type ProgressState,
} from '../../../src/shared/curriculum/mix.ts';
import { CURRICULUM_DEFAULTS } from '../../../src/shared/curriculum/settings.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';

const { mix } = CURRICULUM_DEFAULTS;
const after = (rates: (number | null)[]): ProgressState =>
  rates.reduce<ProgressState>((state, rate) => progressAfter(state, rate, mix), null);

describe('the mix of tasks', () => {
  it('keeps averages that weigh the past by powers, as the closed form says', () => {
    const rates = [0.25, 0.5, 0.125, 1, 0.75];
    const closed = (alpha: number): number =>
      rates.reduce((sum, rate, at) => {
        const age = rates.length - 1 - at;
        return sum + rate * (1 - alpha) ** age * (at === 0 ? 1 : alpha);
      }, 0);
    const state = after(rates);
    expect(state?.fast).toBeCloseTo(closed(mix.fast), 12);
    expect(state?.slow).toBeCloseTo(closed(mix.slow), 12);
    expect(after([0.5, null])).toEqual(after([0.5]));
  });

  it('spreads small rates from 0 to 1 without folding them, and not at all at a half', () => {
    expect([0, 1].map((rate) => reweighted(rate, 0.1))).toEqual([0, 1]);
    // Published in the paper's own terms: at p = theta the spread rate is a half.
    expect(reweighted(0.1, 0.1)).toBeCloseTo(0.5, 12);
    const rates = Array.from({ length: 101 }, (_, at) => at / 100);
    const spread = rates.map((rate) => reweighted(rate, 0.1));
    expect(spread.toSorted((a, b) => a - b)).toEqual(spread);
    for (const rate of rates) expect(reweighted(rate, 0.5)).toBeCloseTo(rate, 12);
  });

  it('counts getting worse as getting better, and what stays the same as nothing', () => {
    const steady = learningProgress(after([0.4, 0.4, 0.4]), mix.reweight);
    const better = learningProgress(after([0, 0, 0.5]), mix.reweight);
    const worse = learningProgress(after([0.5, 0.5, 0]), mix.reweight);
    expect(steady).toBe(0);
    expect(better).toBeGreaterThan(0.1);
    expect(worse).toBeGreaterThan(0.05);
  });

  it('sums to one, gives each task its floor, and is even where nothing progresses', () => {
    const random = seededRandom('weights');
    for (let at = 0; at < 200; at += 1) {
      const progress = Array.from({ length: 1 + Math.floor(random() * 40) }, () =>
        Math.max(0, random() - 0.5),
      );
      const weights = mixWeights(progress, mix.floor);
      expect(weights.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
      for (const weight of weights)
        expect(weight).toBeGreaterThanOrEqual(mix.floor / progress.length - 1e-15);
    }
    expect(mixWeights([0, 0, 0, 0], 0.2)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it('draws each task as often as its weight says, give or take one, and the same again from the same seed', () => {
    const random = seededRandom('draws');
    for (let at = 0; at < 200; at += 1) {
      const weights = mixWeights(
        Array.from({ length: 1 + Math.floor(random() * 12) }, () => random()),
        0.1,
      );
      const count = 1 + Math.floor(random() * 64);
      const drawn = drawTasks(weights, count, `seed ${String(at)}`);
      expect(drawn).toHaveLength(count);
      weights.forEach((weight, place) => {
        const times = drawn.filter((one) => one === place).length;
        expect(Math.abs(times - weight * count)).toBeLessThan(1 + 1e-9);
      });
      expect(drawTasks(weights, count, `seed ${String(at)}`)).toEqual(drawn);
    }
    expect(drawTasks([], 4, 'none')).toEqual([]);
  });

  it('draws over many seeds what a plain draw by chance gives', () => {
    const weights = [0.5, 0.3, 0.15, 0.05];
    const counts = [0, 0, 0, 0];
    for (let seed = 0; seed < 20_000; seed += 1)
      for (const place of drawTasks(weights, 3, String(seed))) counts[place] = (counts[place] ?? 0) + 1;
    counts.forEach((count, at) => expect(count / 60_000).toBeCloseTo(weights[at] ?? 0, 2));
  });
});
