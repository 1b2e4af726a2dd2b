import { describe, expect, it } from 'vitest';
import { CURRICULUM_DEFAULTS } from '../../../src/shared/curriculum/settings.ts';
import { WITH_EXPERT, withdrawalAfter } from '../../../src/shared/curriculum/withdrawal.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';

const RULE = CURRICULUM_DEFAULTS.withdrawal;
const outcomes = (solved: number, of: number): boolean[] =>
  Array.from({ length: of }, (_, at) => at < solved);

describe('the expert of one task', () => {
  it.each([
    [8, 'withdrawn'],
    [7, 'withdrawn'],
    [6, null],
  ])('with %i of the last 8 solved alone is: %s', (solved, change) => {
    expect(withdrawalAfter(WITH_EXPERT, outcomes(solved, 8), RULE).change).toBe(change);
  });

  it.each([
    [5, null],
    [4, 'returned'],
    [0, 'returned'],
  ])('gone, with %i of the last 8 solved alone is: %s', (solved, change) => {
    const gone = { recent: [], is_withdrawn: true };
    expect(withdrawalAfter(gone, outcomes(solved, 8), RULE).change).toBe(change);
  });

  it('stays until the window is full, however well it went', () => {
    const seven = withdrawalAfter(WITH_EXPERT, outcomes(7, 7), RULE);
    expect(seven).toMatchObject({ change: null, lower: null });
    expect(withdrawalAfter(seven.state, [true], RULE).change).toBe('withdrawn');
  });

  it('comes back where withdrawal is switched off', () => {
    const gone = { recent: outcomes(8, 8), is_withdrawn: true };
    expect(withdrawalAfter(gone, [], { ...RULE, is_on: false }).change).toBe('returned');
  });

  // Wilson 1927: p is in the interval exactly where n (share - p)^2 <= z^2 p (1 - p).
  it('goes and comes where Wilson’s own inequality says so, for every count of every window', () => {
    const z = 1.959964;
    const isSurelyAbove = (solved: number, of: number, p: number): boolean =>
      solved / of > p && of * (solved / of - p) ** 2 >= z * z * p * (1 - p);
    for (const window of [2, 3, 5, 8, 16, 31]) {
      for (let solved = 0; solved <= window; solved += 1) {
        const rule = { ...RULE, window };
        const { change } = withdrawalAfter(WITH_EXPERT, outcomes(solved, window), rule);
        expect(change === 'withdrawn').toBe(isSurelyAbove(solved, window, RULE.withdraw_at));
        const gone = { recent: [], is_withdrawn: true };
        const back = withdrawalAfter(gone, outcomes(solved, window), rule).change;
        expect(back === 'returned').toBe(!isSurelyAbove(solved, window, RULE.return_below));
      }
    }
  });

  it('never comes and goes on fewer than three rollouts more or less', () => {
    const random = seededRandom('wavering');
    let [state, since] = [WITH_EXPERT, 99];
    for (let at = 0; at < 20_000; at += 1) {
      const next = withdrawalAfter(state, [random() < 0.72], RULE);
      since += 1;
      if (next.change !== null) {
        expect(since).toBeGreaterThanOrEqual(3);
        since = 0;
      }
      state = next.state;
    }
  });
});
