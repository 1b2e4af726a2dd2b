import { describe, expect, it } from 'vitest';
import type { LabReport } from '../../../src/shared/contract/rewards.ts';
import { REWARD_DEFAULTS } from '../../../src/shared/rewards/settings.ts';
import {
  checkDraft,
  fieldSections,
  isSameSettings,
  settingsDraft,
  withRewardLabel,
} from '../../../src/renderer/views/lab/labForm.ts';
import { markdownOf } from '../../../src/renderer/views/lab/labTables.ts';
import { changeText, csvOf, gainText, scoreText } from '../../../src/renderer/views/lab/labText.ts';
import { rangeOf, scaleOf, axisTicks } from '../../../src/renderer/views/lab/scale.ts';

const FIRST = settingsDraft(REWARD_DEFAULTS);
const fieldsOf = (draft: typeof FIRST) =>
  fieldSections(draft).flatMap(({ groups }) => groups.flatMap(({ fields }) => fields));

describe('the form of the rewards', () => {
  it('has a field for every number there is', () => {
    const fields = fieldsOf(FIRST).map(({ path }) => path);

    expect(fields.toSorted()).toEqual(Object.keys(FIRST).toSorted());
  });

  it('gives back the settings it was filled from', () => {
    expect(checkDraft(FIRST)).toEqual({ settings: REWARD_DEFAULTS, errors: {}, sum: 1 });
    const dotted = withRewardLabel(withRewardLabel(FIRST, 'others'), 'v2.partial');
    expect(checkDraft(dotted).settings?.rubric.primary).toEqual({
      complete: 1,
      incomplete: 0.1,
      others: 0,
      'v2.partial': 0,
    });
    expect(withRewardLabel(FIRST, 'incomplete')).toBe(FIRST);
  });

  it('says at the field what is no number, and makes no settings of it', () => {
    const typed = { ...FIRST, 'shaping.base.complete': ' ', 'rubric.slow_turns': 'ten' };

    expect(checkDraft(typed)).toMatchObject({
      settings: null,
      errors: { 'shaping.base.complete': 'A number is needed.', 'rubric.slow_turns': 'A number is needed.' },
    });
    expect(checkDraft({ ...FIRST, 'rubric.unfinished': '2' }).errors['rubric.unfinished']).toMatch(/1/);
    expect(checkDraft({ ...FIRST, 'rubric.process_calls': '1.5' }).settings).toBeNull();
  });

  it('tells a broken rule at the first number it is about, and marks the others', () => {
    const { settings, errors } = checkDraft({ ...FIRST, 'shaping.modifiers.recovery': '2' });

    expect(settings).toBeNull();
    expect(errors).toEqual({
      'shaping.modifiers.solo': 'The order solo > recovery > blind does not hold.',
      'shaping.modifiers.recovery': '',
      'shaping.modifiers.blind': '',
    });
  });

  it('sums the weights as they are typed, right or wrong', () => {
    expect(checkDraft({ ...FIRST, 'rubric.weights.process': '0.3' }).sum).toBeCloseTo(1.05, 12);
    expect(checkDraft({ ...FIRST, 'rubric.weights.process': 'x' }).sum).toBeCloseTo(0.75, 12);
  });

  it('says what a pattern is worth in all, and whether numbers are those of a profile', () => {
    const hintOf = (draft: typeof FIRST, name: string) =>
      fieldsOf(draft).find(({ path }) => path === `shaping.modifiers.${name}`)?.hint;
    expect(hintOf(FIRST, 'recovery')).toBe('1.3 in all');
    expect(hintOf({ ...FIRST, 'shaping.base.complete': '' }, 'solo')).toBe('');
    expect(isSameSettings(REWARD_DEFAULTS, structuredClone(REWARD_DEFAULTS))).toBe(true);
    const other = { ...REWARD_DEFAULTS, rubric: { ...REWARD_DEFAULTS.rubric, unfinished: 0.4 } };
    expect(isSameSettings(REWARD_DEFAULTS, other)).toBe(false);
  });
});

const NO_PAIRS = { pairs: 0, kept: 0, flipped: 0, tied: 0, untied: 0, tau: null };
const REPORT: LabReport = {
  measure: 'rubric',
  episodes: 40,
  completion: { complete: 12, verified: 40, tasks: 10, low: 0.181, high: 0.454 },
  change: { raised: 3, lowered: 5, same: 32 },
  sections: [
    {
      of: 'condition',
      name: 'human+draft',
      episodes: 40,
      complete: 12,
      before: { mean: 0.5, sd: 0.25 },
      after: { mean: 0.45, sd: null },
    },
  ],
  correlations: [
    {
      of: 'process',
      before: { point_biserial: 0.5, spearman: null },
      after: { point_biserial: 0.25, spearman: 0.2 },
    },
  ],
  overall: { ...NO_PAIRS, tau: 0.8 },
  tasks: { tasks: 4, counts: NO_PAIRS },
  groups: { groups: 0, rollouts: 0, counts: NO_PAIRS, sign_changes: 0, flat_before: 0, flat_after: 0 },
  inversions: { pairs: 9, before: 0, after: 0 },
  flips: [],
  suspects: { total: 0, list: [] },
  dots: { grid: null, list: [] },
};

describe('the lab in words', () => {
  it('puts the verifier’s word first and calls the rest diagnostic', () => {
    const names = { before: 'default', after: 'mine' };
    const page = markdownOf(REPORT, names);
    expect(page.split('\n')[2]).toBe(
      'Verifier: 12 of 40 complete (30 %, 95 % interval 18 % to 45 % over 10 tasks). What follows is diagnostic (rubric).',
    );
    expect(page).toContain('| Human + draft | 40 | 12 | 0.500 ± 0.250 | 0.450 | −0.050 |');
    expect(page).toContain('| Process quality | 0.500 | 0.250 | – | 0.200 |');
    const ofOne = { complete: 12, verified: 40, tasks: 1, low: null, high: null };
    expect(markdownOf({ ...REPORT, completion: ofOne }, names)).toContain(
      '(30 % of one task, which gives no interval)',
    );
    const unverified = { complete: 0, verified: 0, tasks: 0, low: null, high: null };
    expect(markdownOf({ ...REPORT, completion: unverified }, names)).toContain('Verifier: nothing verified.');
  });

  it('says in a sentence what changes', () => {
    expect(changeText(REPORT)).toBe('3 of 40 episodes rise, 5 fall, 32 unchanged');
    expect(changeText({ ...REPORT, change: { raised: 0, lowered: 0, same: 40 } })).toBe(
      'None of 40 episodes change',
    );
    expect([0.1 + 0.2, null, -0.5].map(scoreText)).toEqual(['0.3', '–', '-0.5']);
    expect([0.25, -0.25, 0, 1e-9, -1e-9].map(gainText)).toEqual([
      '+0.250',
      '−0.250',
      '0.000',
      '0.000',
      '0.000',
    ]);
  });

  it('writes a table that a spreadsheet reads, and runs nothing that a scenario is called', () => {
    const breakdown = {
      verifier: { reward: 1, label: 'complete' },
      shaped: { total: 2, base: 1, modifier: 1, pattern: 'solo' as const },
      rubric: { total: 0.9, components: { primary: 1, process: 0.5 }, gate: 1 },
      format_error_rate: 0.25,
    };
    const row = {
      episode: 'e1',
      scenario: '=HYPERLINK("x")',
      task_idx: 3,
      condition: null,
      group: null,
      label: 'complete',
      pattern: 'solo' as const,
      before: 0.9,
      after: 0.9,
    };

    const lines = csvOf([{ row, before: breakdown, after: breakdown }], { before: 'default', after: 'mine' })
      .split('\r\n')
      .map((line) => line.split(','));

    expect(lines[0]).toContain('process_after');
    expect(lines[0]).toHaveLength(lines[1]?.length ?? 0);
    expect(lines[1]?.slice(0, 4)).toEqual(['e1', `"'=HYPERLINK(""x"")"`, '3', '']);
    expect(lines[1]).toContain('mine');
  });
});

describe('an axis', () => {
  it('holds every value with room, and writes round numbers at it', () => {
    const range = rangeOf([-1, 2]);
    expect(range[0]).toBeLessThan(-1);
    expect(axisTicks(range)).toEqual([-1, 0, 1, 2]);
    expect(axisTicks([0.31, 0.68])).toEqual([0.4, 0.5, 0.6]);
    expect(rangeOf([2])).toEqual([1.5, 2.5]);
    expect(rangeOf([])).toEqual([0, 1]);
    expect(scaleOf([0, 2], [10, 110])(1)).toBe(60);
  });
});
