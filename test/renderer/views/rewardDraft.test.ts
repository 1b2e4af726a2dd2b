import { describe, expect, it } from 'vitest';
import { REWARD_DEFAULTS } from '../../../src/shared/rewards/settings.ts';
import {
  checkDraft,
  fieldSections,
  settingsDraft,
  withRewardLabel,
} from '../../../src/renderer/views/settings/rewardDraft.ts';

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
});
