import { describe, expect, it } from 'vitest';
import { isOfOneRun } from '../../src/main/commands/importedRuns.ts';
import { emptyStep, type RunStep } from '../../src/shared/training/run.ts';

const stepsOf = (first: number, ...rewards: number[]): RunStep[] =>
  rewards.map((reward, at) => ({ ...emptyStep(first + at), reward }));

describe('two logs of one name', () => {
  it('are of one run where one goes on, says more of the same steps, or rounds them', () => {
    const before = stepsOf(1, 0.1, 0.2);
    expect(isOfOneRun(before, stepsOf(1, 0.1, 0.2, 0.3))).toBe(true);
    expect(isOfOneRun(before, stepsOf(1, 0.1))).toBe(true);
    expect(isOfOneRun(before, stepsOf(3, 0.9))).toBe(true);
    expect(isOfOneRun(before, stepsOf(1, 0.10004, 0.2))).toBe(true);
    const errors = [{ ...emptyStep(1), format_error_rate: 0.5 }];
    expect(isOfOneRun(before, errors)).toBe(true);
  });

  it('are of two where a step says otherwise, or the steps of one lie between those of the other', () => {
    const before = [...stepsOf(1, 0.1), ...stepsOf(10, 0.2)];
    expect(isOfOneRun(before, stepsOf(10, 0.3))).toBe(false);
    expect(isOfOneRun(before, stepsOf(5, 0.3))).toBe(false);
    const parts = (value: number) => [{ ...emptyStep(1), components: { process: value } }];
    expect(isOfOneRun(parts(0.1), parts(0.2))).toBe(false);
  });
});
