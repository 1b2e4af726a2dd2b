import { describe, expect, it } from 'vitest';
import { calibrationOf } from '../../src/shared/calibration.ts';

const STATED = [
  0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 1,
  0, 0.88, 0.88, 0.12,
];
const RIGHT = [1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1];
const POINTS = STATED.map((stated, at) => ({ stated, isRight: RIGHT[at] === 1 }));

/**
 * scikit-learn 1.9.1: `brier_score_loss(y, s)`, and of `calibration_curve(y, s, n_bins=10, strategy='uniform')` both
 * arrays and the mean of their distances weighted by the points of each bin.
 */
const SKLEARN = {
  brier: 0.2182583333333333,
  ece: 0.20166666666666663,
  right: [0, 0.3333333333333333, 0.5, 0.5, 0, 0.5, 0.5, 1, 0.5, 1],
  stated: [0.05, 0.15666666666666665, 0.275, 0.375, 0.475, 0.575, 0.675, 0.775, 0.8775, 0.975],
};

describe('calibration', () => {
  it('gives the figures of scikit-learn for the same points', () => {
    const found = calibrationOf(POINTS);

    expect(found?.n).toBe(24);
    expect(found?.brier).toBeCloseTo(SKLEARN.brier, 12);
    expect(found?.ece).toBeCloseTo(SKLEARN.ece, 12);
    found?.bins.forEach(({ stated, right }, at) => {
      expect(stated).toBeCloseTo(SKLEARN.stated[at] ?? -1, 12);
      expect(right).toBeCloseTo(SKLEARN.right[at] ?? -1, 12);
    });
  });

  it('is nothing without a point, and keeps empty bins empty', () => {
    expect(calibrationOf([])).toBeNull();
    const [first, ...others] = calibrationOf([{ stated: 0, isRight: false }])?.bins ?? [];
    expect(first).toEqual({ from: 0, to: 0.1, n: 1, stated: 0, right: 0 });
    expect(others.every(({ n, stated, right }) => n === 0 && stated === null && right === null)).toBe(true);
  });
});
