// Krippendorff's alpha against figures that were published with their data.
import { describe, expect, it } from 'vitest';
import { krippendorffAlpha } from '../../../src/shared/review/alpha.ts';

/** One string per reviewer, one column per unit; a point is a missing value. */
const unitsOf = (...reviewers: string[]): number[][] =>
  Array.from({ length: reviewers[0]?.length ?? 0 }, (_, unit) =>
    reviewers.flatMap((row) => (row[unit] === '.' ? [] : [Number.parseInt(row[unit] ?? '', 36)])),
  );

describe('Krippendorff’s alpha', () => {
  // Krippendorff (2011), section A: two reviewers, binary.
  it('gives the published figure for two reviewers and two values', () => {
    const units = unitsOf('0100000010', '1110010000');
    expect(krippendorffAlpha(units, 'nominal')).toMatchObject({ units: 10, values: 20 });
    expect(krippendorffAlpha(units, 'nominal').alpha).toBeCloseTo(0.095, 3);
  });

  // Section B: two reviewers, five names.
  it('gives the published figure for names', () => {
    expect(krippendorffAlpha(unitsOf('aabbdcccedda', 'babbbccceddd'), 'nominal').alpha).toBeCloseTo(0.692, 3);
  });

  // Section C: four reviewers, twelve units, values missing, one unit judged once only.
  it('gives the published nominal, ordinal and interval figures where values are missing', () => {
    const units = unitsOf('123321412...', '1233224125.3', '.3332342251.', '1233244125 1.'.replace(' ', ''));
    expect(units).toHaveLength(12);
    expect(krippendorffAlpha(units, 'nominal')).toMatchObject({ units: 11, values: 40 });
    expect(krippendorffAlpha(units, 'nominal').alpha).toBeCloseTo(0.743, 3);
    expect(krippendorffAlpha(units, 'ordinal').alpha).toBeCloseTo(0.815, 3);
    expect(krippendorffAlpha(units, 'interval').alpha).toBeCloseTo(0.849, 3);
  });

  // The worked example of three coders and fifteen units in the encyclopaedia's article.
  it('gives the known figures for three reviewers who each left much out', () => {
    const units = unitsOf('.....34121133.3', '1.213343.......', '..21344.21133.4');
    expect(krippendorffAlpha(units, 'nominal').alpha).toBeCloseTo(0.691, 3);
    expect(krippendorffAlpha(units, 'interval').alpha).toBeCloseTo(0.811, 3);
  });

  it('says nothing where there is nothing to compare', () => {
    expect(krippendorffAlpha([], 'nominal')).toEqual({ alpha: null, units: 0, values: 0 });
    expect(krippendorffAlpha([[1], [2]], 'interval').alpha).toBeNull();
    // All values the same: no disagreement could have been seen.
    expect(krippendorffAlpha(unitsOf('11', '11'), 'nominal')).toEqual({ alpha: null, units: 2, values: 4 });
  });

  it('is 1 for perfect agreement and falls below 0 for systematic disagreement', () => {
    expect(krippendorffAlpha(unitsOf('12', '12'), 'ordinal').alpha).toBe(1);
    expect(krippendorffAlpha(unitsOf('11', '22'), 'nominal').alpha).toBeLessThan(0);
  });
});
