import { describe, expect, it } from 'vitest';
import { hintAfter, NO_HINT, type HintState } from '../../../src/shared/curriculum/hints.ts';
import { HINT_TIERS, type HintTier, type Rollout } from '../../../src/shared/curriculum/rollout.ts';
import { CURRICULUM_DEFAULTS } from '../../../src/shared/curriculum/settings.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';
import { rolloutsOf } from './planted.ts';

const RULE = CURRICULUM_DEFAULTS.hints;
const group = (
  completed: number,
  of: number,
  hint: HintTier = 'none',
  more: Partial<Rollout> = {},
): Rollout[] => rolloutsOf(completed, of, { hint, arm: 'solo', ...more });
const at = (tier: HintTier): HintState => ({ tier, zeros: 0 });

describe('the hint of one task', () => {
  it('is more telling each time a whole group is at zero, up to the solution', () => {
    let state = NO_HINT;
    const tiers = HINT_TIERS.map((tier) => {
      state = hintAfter(state, group(0, 4, tier), RULE).state;
      return state.tier;
    });
    expect(tiers).toEqual(['knowledge', 'plan', 'solution', 'solution']);
  });

  it('is not given where one rollout of the group completed the task', () => {
    expect(hintAfter(NO_HINT, group(1, 8), RULE)).toMatchObject({ state: NO_HINT, change: null });
  });

  it('goes back by one once half a group completes with it, and stays where fewer do', () => {
    expect(hintAfter(at('plan'), group(2, 4, 'plan'), RULE)).toMatchObject({
      change: 'less',
      state: at('knowledge'),
    });
    expect(hintAfter(at('plan'), group(1, 4, 'plan'), RULE)).toMatchObject({
      change: null,
      state: at('plan'),
    });
    expect(hintAfter(at('knowledge'), group(4, 4, 'knowledge'), RULE).state.tier).toBe('none');
  });

  it('hears neither of groups with the expert, nor of one rollout, nor of groups with another hint', () => {
    for (const other of [
      group(0, 4, 'none', { arm: 'expert' }),
      group(0, 1),
      group(0, 4, 'plan'),
      [...group(0, 2, 'none', { group: 'both' }), ...group(0, 2, 'plan', { group: 'both' })],
      rolloutsOf(0, 4, { arm: 'solo', completed: null }),
      group(0, 4, 'none', { group: null }),
    ]) {
      expect(hintAfter(NO_HINT, other, RULE)).toMatchObject({ change: null, state: NO_HINT });
    }
  });

  it('waits for so many groups at zero in a row as are set', () => {
    const rule = { ...RULE, groups_at_zero: 2 };
    const one = hintAfter(NO_HINT, group(0, 4), rule);
    expect(one).toMatchObject({ change: null, state: { tier: 'none', zeros: 1 } });
    expect(hintAfter(one.state, group(0, 4), rule).change).toBe('more');
    const broken = hintAfter(one.state, group(1, 4), rule);
    expect(hintAfter(broken.state, group(0, 4), rule).change).toBeNull();
  });

  it('is as told as an agent needs it: with one that needs the plan it wavers about the plan', () => {
    const random = seededRandom('needs the plan');
    const chance: Record<HintTier, number> = { none: 0, knowledge: 0, plan: 0.4, solution: 1 };
    let state = NO_HINT;
    const seen = new Map<HintTier, number>();
    for (let step = 0; step < 500; step += 1) {
      const completed = Array.from({ length: 8 }, () => random() < chance[state.tier]).filter(Boolean).length;
      state = hintAfter(state, group(completed, 8, state.tier), RULE).state;
      seen.set(state.tier, (seen.get(state.tier) ?? 0) + 1);
    }
    expect(seen.get('plan')).toBeGreaterThan(200);
    expect(seen.get('none') ?? 0).toBeLessThan(100);
    expect(seen.get('solution') ?? 0).toBeLessThan(50);
  });
});
