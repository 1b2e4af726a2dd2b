import { describe, expect, it } from 'vitest';
import { compareEpisodes, type ScoredEntry } from '../../src/main/reward/comparedEpisodes.ts';
import { reportOf } from '../../src/main/reward/compare.ts';
import type { CallFact, RewardFacts } from '../../src/main/reward/facts.ts';
import { breakdownOf } from '../../src/main/reward/reward.ts';
import type { Condition } from '../../src/shared/events/lifecycle.ts';
import { REWARD_DEFAULTS, type RewardSettings } from '../../src/shared/rewards/settings.ts';

const facts = (over: Partial<RewardFacts> = {}): RewardFacts => ({
  label: 'incomplete',
  turns: 4,
  wellFormed: 4,
  moves: 4,
  length: 4,
  calls: [],
  firstHelp: null,
  help: 'none',
  asks: 0,
  ...over,
});
const calls = (count: number, over: Partial<CallFact> = {}): CallFact[] =>
  Array.from({ length: count }, (_, turn) => ({ turn, key: turn, outcome: 'ok', by: 'agent', ...over }));

function entry(
  episode: string,
  over: Partial<RewardFacts>,
  where: Partial<Omit<ScoredEntry, 'known' | 'origin'>> = {},
): ScoredEntry {
  return {
    episode,
    scenario: 'orders',
    task_idx: 0,
    condition: 'none' as Condition,
    group: null,
    ...where,
    known: { facts: facts(over), verifierReward: null },
    origin: { run: null, file: null, imported_reward: null },
  };
}

const changed = (over: Partial<RewardSettings['rubric']>): RewardSettings => ({
  ...REWARD_DEFAULTS,
  rubric: { ...REWARD_DEFAULTS.rubric, ...over },
});
const report = (
  entries: readonly ScoredEntry[],
  after: RewardSettings,
  measure: 'shaped' | 'rubric' = 'rubric',
) => {
  const scores = (settings: RewardSettings) => entries.map(({ known }) => breakdownOf(known, settings));
  const both = { before: scores(REWARD_DEFAULTS), after: scores(after) };
  return reportOf(compareEpisodes(entries, both, measure), measure);
};

/** One with good process and bad format, one the other way round. */
const PROCESS = { calls: calls(4), wellFormed: 1, moves: 1 };
const FORMAT = { calls: calls(4, { outcome: 'failed' as const }) };
const WEIGHTS = { primary: 0.4, process: 0, format: 0.45, efficiency: 0.15 };

describe('what a change does', () => {
  it('finds the pair of a task that changes places, and says whether it is one group', () => {
    const entries = [
      entry('a', PROCESS, { group: 'g1' }),
      entry('b', FORMAT, { group: 'g1' }),
      entry('elsewhere', FORMAT, { task_idx: 1 }),
    ];

    const found = report(entries, changed({ weights: WEIGHTS }));

    expect(found.tasks).toMatchObject({ tasks: 2, counts: { pairs: 1, flipped: 1, tau: -1 } });
    expect(found.groups).toMatchObject({ groups: 1, rollouts: 2, sign_changes: 2, flat_before: 0 });
    expect(found.flips).toHaveLength(1);
    expect(found.flips[0]).toMatchObject({
      up: { episode: 'b' },
      down: { episode: 'a' },
      is_same_group: true,
    });
    expect(found.overall.pairs).toBe(3);
  });

  it('names those that rise without being completed, the most against their peers first', () => {
    const entries = [
      entry('a', PROCESS),
      entry('b', FORMAT),
      entry('done', { ...FORMAT, label: 'complete' }),
    ];

    const { suspects } = report(entries, changed({ weights: WEIGHTS }));

    expect(suspects.list.map(({ row, why }) => [row.episode, why])).toEqual([
      ['b', 'not_completed'],
      ['done', 'above_peers'],
    ]);
    expect(suspects.total).toBe(2);
    const [first] = suspects.list;
    expect(first?.gain).toBeCloseTo(0.125, 9);
  });

  it('puts the verifier’s word first, over what was verified, and correlates with it', () => {
    const entries = [
      entry('a', { label: 'complete' }),
      entry('b', { label: 'incomplete' }),
      entry('c', { label: null }),
    ];

    const found = report(entries, REWARD_DEFAULTS, 'shaped');

    expect(found.completion).toMatchObject({ complete: 1, verified: 2 });
    expect(found.correlations.map(({ of }) => of)).toEqual([
      'shaped',
      'rubric',
      'primary',
      'process',
      'format',
      'efficiency',
    ]);
    expect(found.correlations[0]?.before.point_biserial).toBeCloseTo(1, 12);
    // Nobody made a call: process does not vary.
    expect(found.correlations[3]?.after).toEqual({ point_biserial: null, spearman: null });
  });

  it('tells means by condition and pattern, and draws each place once', () => {
    const done = { label: 'complete' };
    const entries = [
      entry('a', done),
      entry('b', { ...done, firstHelp: 1, asks: 1 }, { condition: 'human' }),
      entry('c', { ...done, firstHelp: 1, asks: 1 }, { condition: 'human' }),
    ];

    const found = report(entries, REWARD_DEFAULTS, 'shaped');

    expect(found.sections.map(({ of, name, episodes }) => [of, name, episodes])).toEqual([
      ['all', 'all', 3],
      ['condition', 'none', 1],
      ['condition', 'human', 2],
      ['pattern', 'solo', 1],
      ['pattern', 'blind', 2],
    ]);
    expect(found.sections[2]?.before).toEqual({ mean: 0.8, sd: 0 });
    expect(found.sections[1]?.before).toEqual({ mean: 2, sd: null });
    expect(found.dots).toEqual({
      grid: null,
      list: [
        { before: 0.8, after: 0.8, complete: 2, other: 0 },
        { before: 2, after: 2, complete: 1, other: 0 },
      ],
    });
    expect(found.change).toEqual({ raised: 0, lowered: 0, same: 3 });
  });

  it('counts uncompleted episodes that earn as much as completed ones: none, by any accepted settings', () => {
    const entries = [entry('done', { label: 'complete', calls: [] }), entry('polished', { calls: calls(8) })];
    const ungated = { ...changed({ unfinished: 1 }) };

    expect(report(entries, REWARD_DEFAULTS).inversions).toEqual({ pairs: 1, before: 0, after: 0 });
    // Not accepted by the rules; the lab would show it all the same.
    expect(
      report(
        [
          entry('done', { label: 'complete', length: 15, wellFormed: 0, moves: 0 }),
          entry('p', { calls: calls(8) }),
        ],
        ungated,
      ).inversions.after,
    ).toBe(1);
  });

  it('holds with nothing at all, and with episodes of no known task', () => {
    expect(report([], REWARD_DEFAULTS)).toMatchObject({
      episodes: 0,
      completion: { complete: 0, verified: 0, tasks: 0, low: null, high: null },
      sections: [],
      overall: { pairs: 0, tau: null },
    });
    const unknown = [entry('a', {}, { scenario: null }), entry('b', {}, { scenario: null })];
    expect(report(unknown, REWARD_DEFAULTS).tasks.counts.pairs).toBe(0);
  });

  it('draws on a grid where exact places are too many', () => {
    const entries = Array.from({ length: 900 }, (_, index) =>
      entry(`e${String(index)}`, { turns: 1000, wellFormed: 1000, moves: index }),
    );
    const { dots } = report(entries, REWARD_DEFAULTS);
    expect(dots.list.length).toBeLessThanOrEqual(400);
    expect(dots.list.reduce((sum, { complete, other }) => sum + complete + other, 0)).toBe(900);
  });
});
