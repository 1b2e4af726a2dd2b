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

  it('stay where a rate wavers about a bound', () => {
    const wavering = ratesOf(0.71, 0.69, 0.71, 0.69, 0.71);

    expect(changes(wavering, BARE)).toHaveLength(4);
    expect(changes(wavering, { ...BARE, hysteresis: 0.03 })).toEqual([]);
    expect(changes(wavering, { ...BARE, dwell: 2 })).toEqual([]);
  });

  it('never change for a bound that the last steps did not all pass, over all short series', () => {
    const levels = [0.1, 0.39, 0.5, 0.69, 0.9];
    const bounds = { scaffold: 0.7, independence: 0.4 };
    const isPassed = (rate: number, phase: string, isLess: boolean): boolean => {
      if (phase === 'balanced') return isLess ? rate <= bounds.scaffold : rate >= bounds.independence;
      return isLess ? rate < bounds.independence : rate > bounds.scaffold;
    };
    const order = ['scaffold', 'balanced', 'independence'];
    for (let code = 0; code < levels.length ** 5; code += 1) {
      const rates = [0, 1, 2, 3, 4].map(
        (place) => levels[Math.floor(code / levels.length ** place) % levels.length] ?? 0,
      );
      for (const { step, from, phase, reason } of decidePhases(ratesOf(...rates), {
        ...BARE,
        dwell: 2,
      })) {
        // From where it stands, the furthest phase whose bound both of the last two steps passed.
        const last = rates.slice(Math.max(0, step - 2), step);
        const reached = order.filter((name) => {
          const way = order.indexOf(name) - order.indexOf(from);
          return way !== 0 && last.length === 2 && last.every((rate) => isPassed(rate, name, way > 0));
        });
        const less = reached.filter((name) => order.indexOf(name) > order.indexOf(from)).at(-1);
        const more = reached.find((name) => order.indexOf(name) < order.indexOf(from));
        expect(phase).toBe(less ?? more ?? from);
        expect(reason === 'changes').toBe(phase !== from);
      }
    }
  });

  it('count no two steps as in a row that lie far apart in their series', () => {
    const at = (...steps: number[]) => steps.map((step) => ({ step, rate: 0.5 }));
    expect(changes(at(1, 2), PHASE_DEFAULTS)).toEqual(['balanced after 2']);
    expect(changes(at(10, 20), PHASE_DEFAULTS)).toEqual(['balanced after 20']);
    const gap = [{ step: 1, rate: 0.9 }, ...at(2, 300, 301)];
    expect(changes(gap, PHASE_DEFAULTS)).toEqual(['balanced after 301']);
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
