import { describe, expect, it } from 'vitest';
import type { RewardFacts } from '../../../src/main/reward/facts.ts';
import { shapedReward } from '../../../src/main/reward/shaping.ts';
import { fieldSections, groupSummary, settingsDraft } from '../../../src/renderer/views/lab/labForm.ts';
import { exampleMarks, stripTitle } from '../../../src/renderer/views/lab/rewardMarks.ts';
import { REWARD_DEFAULTS } from '../../../src/shared/rewards/settings.ts';

const ALONE: RewardFacts = {
  label: 'complete',
  turns: 4,
  wellFormed: 4,
  moves: 4,
  length: 4,
  calls: [{ turn: 0, key: 0, outcome: 'failed', by: 'agent' }],
  firstHelp: null,
  help: 'none',
  asks: 0,
};

describe('what a reward is shown to give', () => {
  it('is in the example what the scorer gives an episode of each kind', () => {
    const shaping = {
      ...REWARD_DEFAULTS.shaping,
      modifiers: { solo: 0.9, recovery: 0.4, blind: -0.1 },
    };
    const kinds: RewardFacts[] = [
      ALONE,
      { ...ALONE, help: 'advised', firstHelp: 1 },
      { ...ALONE, help: 'advised', firstHelp: 1, calls: [] },
      { ...ALONE, label: 'incomplete' },
      { ...ALONE, label: 'others' },
      { ...ALONE, label: 'others', wellFormed: 0 },
    ];

    expect(exampleMarks(shaping).map(({ at }) => at)).toEqual(
      kinds.map((facts) => shapedReward(facts, shaping).total),
    );
  });

  it('says where an episode that is not complete earns as much as one that is', () => {
    const done = { at: 0.8, count: 2, isComplete: true };
    const other = (at: number) => ({ at, count: 1, isComplete: false });

    expect(stripTitle([done, other(-1), other(0.1)])).toBe('Complete episodes get 0.8, others −1 to 0.1');
    expect(stripTitle([done, other(0.8)])).toBe(
      'Complete episodes get 0.8, others 0.8: some of these earn as much or more',
    );
    expect(stripTitle([other(0)])).toBe('No episode is complete; the others get 0');
  });

  it('is told on one line for each folded group, a number that is missing as a question mark', () => {
    const draft = { ...settingsDraft(REWARD_DEFAULTS), 'shaping.base.other': ' ' };
    const lines = fieldSections(draft).flatMap(({ groups }) =>
      groups.map((group) => groupSummary(group, draft)),
    );

    expect(lines).toEqual([
      'complete 1 · incomplete 0.1 · anything else ? · format error −1',
      'solo 1 · recovery 0.3 · blind −0.2',
      'above 0.5',
      'primary objective 0.4 · process quality 0.25 · format compliance 0.2 · efficiency 0.15',
      'complete 1 · incomplete 0.1',
      'without completion ×0.5 · calls 4 · moves 3 · efficient to turn 4 · slow from turn 15',
    ]);
  });
});
