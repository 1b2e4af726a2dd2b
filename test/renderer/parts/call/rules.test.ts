import { expect, it } from 'vitest';
import { PRESETS, presetOf, ruleProblem } from '../../../../src/renderer/parts/call/rules.ts';
import { ApprovalRule } from '../../../../src/shared/events/stepIns.ts';

it('every preset is made of rules that can be put in force, and is known again', () => {
  for (const { id, rules } of PRESETS) {
    expect(rules.map((rule) => ApprovalRule.safeParse(rule).success)).not.toContain(false);
    expect(rules.map(ruleProblem).filter(Boolean)).toEqual([]);
    expect(presetOf(rules)).toBe(id);
  }
});
