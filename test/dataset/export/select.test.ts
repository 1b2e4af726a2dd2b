import { describe, expect, it } from 'vitest';
import type { EndedEpisode } from '../../../src/main/log/endedEpisodes.ts';
import type { RowFacts } from '../../../src/main/dataset/export/format.ts';
import { createEpisodeRule, rowRule, splitOf, taskKey } from '../../../src/main/dataset/export/select.ts';
import { rulesOf } from '../../support/exporting.ts';

const episode = (over: Partial<EndedEpisode> = {}): EndedEpisode => ({
  id: 'e1',
  startedAt: 1,
  environment: 'Shops',
  scenario: 'shop_1',
  task_idx: 2,
  condition: 'human',
  outcome: 'done',
  reward_type: 'complete',
  reward: 1,
  source: 'run',
  isErased: 0,
  isSuperseded: 0,
  isProbe: 0,
  isContinuation: 0,
  ...over,
});
const facts = (over: Partial<RowFacts> = {}): RowFacts => ({
  task: ['shop_1', 2],
  n: 1,
  turn: 1,
  consultation: 'e1:c1',
  actor: 'human',
  privilege: [],
  hasTimeout: false,
  isLate: false,
  hasFabricated: false,
  label: null,
  identity: 'x',
  mask: () => [],
  ...over,
});

describe('which episodes are read', () => {
  const decide = (
    over: Partial<EndedEpisode>,
    rules = {},
    verdict: 'completed' | 'verified' | 'any' = 'any',
  ) => createEpisodeRule(rulesOf(rules), { verdict })(episode(over));

  it.each([
    ['erased', { isErased: 1 }, {}],
    ['held_out', {}, { held_out: [['Shop 1', 2]] }],
    ['condition', {}, { conditions: ['none'] }],
    ['not_completed', { reward_type: 'others' }, { verdict: 'completed' }],
    ['not_completed', { outcome: 'limit' }, { verdict: 'completed' }],
    ['stopped', { outcome: 'stopped', reward_type: null }, { verdict: 'completed' }],
    ['not_verified', { reward_type: 'judge_error' }, { verdict: 'verified' }],
    ['not_verified', { reward_type: null }, { verdict: 'verified' }],
  ])('leaves one out as %s', (name, over, rules) => {
    expect(decide(over, rules as object)).toBe(name);
    expect(decide({}, rules as object) === null || name === 'held_out' || name === 'condition').toBe(true);
  });

  it('takes an episode without a verifier by its reward where the format has completed ones, and says so otherwise', () => {
    const of = (reward: number | null, over: Partial<EndedEpisode> = {}, rules = {}) =>
      decide({ reward_type: null, reward, ...over }, rules, 'completed');
    expect([of(0.25), of(0), of(-1), of(null)]).toEqual([
      null,
      'not_rewarded',
      'not_rewarded',
      'not_completed',
    ]);
    expect([
      of(-1, {}, { filter: { reward_min: -2 } }),
      of(0.25, {}, { filter: { reward_min: 0.5 } }),
    ]).toEqual([null, 'not_rewarded']);
    expect(of(1, { outcome: 'limit' })).toBe('not_rewarded');
    expect(of(1, { source: 'import' })).toBe('not_completed');
    expect(of(1, {}, { verdict: 'completed' })).toBe('not_completed');
    expect(
      createEpisodeRule(rulesOf(), { verdict: 'completed', isVerdictFixed: true })(
        episode({ reward_type: null }),
      ),
    ).toBe('not_completed');
  });

  it('asks of the verdict what the format asks, unless the rules say otherwise', () => {
    const failed = { reward_type: 'others', reward: 0 };

    expect(decide(failed, {}, 'completed')).toBe('not_completed');
    expect(decide(failed, {}, 'verified')).toBeNull();
    expect(decide(failed, { verdict: 'any' }, 'completed')).toBeNull();
  });
});

describe('which rows are kept', () => {
  it.each([
    ['timeout', { hasTimeout: true }, 'timeouts'],
    ['late', { isLate: true }, 'late'],
    ['fabricated', { hasFabricated: true }, 'fabricated'],
  ] as const)('leaves %s out unless it is asked for', (name, over, doubtful) => {
    expect(rowRule(facts(over), rulesOf())).toBe(name);
    expect(rowRule(facts(over), rulesOf({ include: [doubtful] }))).toBeNull();
  });

  it('keeps privileged rows, flagged, unless only leak-free ones are wanted; unknown is not leak-free', () => {
    const leakFree = rulesOf({ privilege: 'leak_free' });

    expect(rowRule(facts({ privilege: ['criteria'] }), rulesOf())).toBeNull();
    expect(rowRule(facts({ privilege: ['criteria'] }), leakFree)).toBe('privileged');
    expect(rowRule(facts({ privilege: 'unknown' }), leakFree)).toBe('privilege_unknown');
    expect(rowRule(facts(), leakFree)).toBeNull();
  });
});

describe('the split', () => {
  const tasks = Array.from({ length: 2000 }, (_, i) => taskKey('Shops', [`shop_${String(i % 40)}`, i]));
  const validation = { share: 0.2, seed: 7 };
  const sides = (of: readonly string[], seed = 7) => of.map((task) => splitOf(task, { share: 0.2, seed }));

  it('puts about the asked share of tasks aside, others for another seed', () => {
    const share = sides(tasks).filter((side) => side === 'validation').length / tasks.length;

    expect(share).toBeGreaterThan(0.16);
    expect(share).toBeLessThan(0.24);
    expect(sides(tasks, 8)).not.toEqual(sides(tasks));
    expect(splitOf('any', null)).toBe('train');
  });

  it('moves no task when others are added, and only into validation when the share grows', () => {
    const before = tasks.slice(0, 100).map((task) => splitOf(task, validation));
    const more = tasks.slice(0, 100).map((task) => splitOf(task, { share: 0.4, seed: 7 }));

    expect(sides(tasks).slice(0, 100)).toEqual(before);
    expect(before.every((side, at) => side === 'train' || more[at] === 'validation')).toBe(true);
  });

  it('is the same for both spellings of a scenario', () => {
    expect(taskKey('AWM', ['SurveyMonkey Apply', 3])).toBe(taskKey('AWM', ['surveymonkey_apply', 3]));
  });
});
