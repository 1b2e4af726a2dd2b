import { describe, expect, it } from 'vitest';
import {
  decidePhases,
  groupSplit,
  PHASE_DEFAULTS,
  type PhaseSettings,
} from '../../src/shared/training/controller.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';

const PUBLISHED = PUBLIC_EXAMPLE.steps.map(({ step, format_error_rate: rate }) => ({ step, rate }));
const BARE: PhaseSettings = { ...PHASE_DEFAULTS, hysteresis: 0, dwell: 1 };
const changes = (series: typeof PUBLISHED, settings: PhaseSettings): string[] =>
  decidePhases(series, settings).flatMap(({ reason, step, phase }) =>
    reason === 'changes' ? [`${phase} after ${String(step)}`] : [],
  );
const ratesOf = (...rates: (number | null)[]) => rates.map((rate, at) => ({ step: at + 1, rate }));

describe('the phases of a curriculum', () => {
  it('change where the published run changed, without hysteresis and dwell; by default a step later each', () => {
    expect(changes(PUBLISHED, BARE)).toEqual(['balanced after 10', 'independence after 28']);
    expect(changes(PUBLISHED, PHASE_DEFAULTS)).toEqual(['balanced after 11', 'independence after 29']);
  });

  it('are those that the published run was played in, step by step', () => {
    const played = decidePhases(PUBLISHED, BARE).map(({ from }) => from);

    expect(played).toEqual(PUBLIC_EXAMPLE.steps.map(({ phase }) => phase));
  });

  it('stay where a rate wavers about a bound', () => {
    const wavering = ratesOf(0.71, 0.69, 0.71, 0.69, 0.71);

    expect(changes(wavering, BARE)).toHaveLength(4);
    expect(changes(wavering, { ...BARE, hysteresis: 0.03 })).toEqual([]);
    expect(changes(wavering, { ...BARE, dwell: 2 })).toEqual([]);
  });

  it('come back with more help when errors do, and skip one where the rate is far off', () => {
    expect(changes(ratesOf(0.2, 0.9), BARE)).toEqual(['independence after 1', 'scaffold after 2']);
    expect(changes(ratesOf(0.2, 0.2, 0.9, 0.2, 0.9, 0.9), { ...BARE, dwell: 2 })).toEqual([
      'independence after 2',
      'scaffold after 6',
    ]);
  });

  it('hold both bounds themselves balanced, as the recipe does', () => {
    expect(decidePhases(ratesOf(0.7, 0.4), BARE).map(({ phase }) => phase)).toEqual(['balanced', 'balanced']);
    expect(decidePhases(ratesOf(0.4), { ...BARE, start: 'independence' })[0]?.phase).toBe('balanced');
  });

  it('stay where nothing was measured, and say so', () => {
    const [first, second] = decidePhases(ratesOf(null, 0.5), BARE);

    expect(first).toMatchObject({ phase: 'scaffold', reason: 'not_measured' });
    expect(second).toMatchObject({
      from: 'scaffold',
      towards: 'balanced',
      reason: 'changes',
      expert_share: 0.5,
    });
  });

  it.each([
    [0.75, 6, 2],
    [0.5, 4, 4],
    [0.25, 2, 6],
  ])('give at share %d a group of eight %i rollouts with an expert and %i without', (share, expert, solo) => {
    expect(groupSplit(share, 8)).toEqual({ expert, solo });
  });
});
