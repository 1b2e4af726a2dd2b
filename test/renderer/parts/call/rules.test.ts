import { expect, it } from 'vitest';
import { moved, PRESETS, presetOf, ruleProblem } from '../../../../src/renderer/parts/call/rules.ts';
import { ApprovalRule } from '../../../../src/shared/events/stepIns.ts';

it('every preset is made of rules that can be put in force, and is known again', () => {
  for (const { id, rules } of PRESETS) {
    expect(rules.map((rule) => ApprovalRule.safeParse(rule).success)).not.toContain(false);
    expect(rules.map(ruleProblem).filter(Boolean)).toEqual([]);
    expect(presetOf(rules)).toBe(id);
  }
});

it('a rule can be moved, not beyond the ends, and says what it lacks', () => {
  const rules = PRESETS.find(({ id }) => id === 'read_only')?.rules ?? [];
  expect(
    moved(rules, 0, 1)
      .map(({ glob }) => glob)
      .slice(0, 2),
  ).toEqual(['list_*', 'get_*']);
  expect(moved(rules, 0, -1)).toEqual(rules);
  expect(ruleProblem({ glob: ' ', argument: null, does: 'ask', count: null })).toMatch(/Name a tool/);
  expect(ruleProblem({ glob: '*', argument: null, does: 'first', count: null })).toMatch(/[Hh]ow many/);
});
