import { describe, expect, it } from 'vitest';
import { factsOf, type RewardFacts } from '../../src/main/reward/facts.ts';
import { breakdownOf, knownOf } from '../../src/main/reward/reward.ts';
import { rubricScore } from '../../src/main/reward/rubric.ts';
import { checkRewards } from '../../src/main/reward/settings.ts';
import { Failure } from '../../src/shared/failure.ts';
import {
  brokenRules,
  COMPONENT_NAMES,
  REWARD_DEFAULTS,
  type RewardSettings,
} from '../../src/shared/rewards/settings.ts';
import { createChance, type Chance } from '../support/interleaving.ts';
import { episode } from '../renderer/parts/episodes.ts';

const FAILED = { error: 'Order 7 is closed. Status code: 409.', label: 'server_error' };
const MALFORMED = { error: 'Status code: 422.', label: 'invalid_args' };
const solo = () =>
  episode().open().call('get_order', { order_id: 1 }, { text: '{}' }).end('complete').record();
const recovered = () =>
  episode()
    .open()
    .call('get_order', { order_id: 7 }, FAILED)
    .ask('Which one?')
    .approve('send', 'Take 8.')
    .deliver('advice', 'Take 8.')
    .call('get_order', { order_id: 8 }, { text: '{}' })
    .end('complete')
    .record();
const blind = () =>
  episode()
    .open()
    .call('get_order', { order_id: 'x' }, MALFORMED)
    .ask('Which one?')
    .approve('send', 'Take 8.')
    .deliver('advice', 'Take 8.')
    .end('complete')
    .record();
const shaped = (record: ReturnType<typeof solo>) => breakdownOf(knownOf(record), REWARD_DEFAULTS).shaped;

/** Facts of an episode that could have been, good or bad. */
function anyFacts(chance: Chance): RewardFacts {
  const turns = chance.below(20);
  const wellFormed = chance.below(turns + 1);
  const calls = Array.from({ length: chance.below(turns + 1) }, (_, turn) => ({
    turn,
    key: chance.below(6),
    outcome: chance.of(['ok', 'failed', 'format_error', 'refused'] as const),
    by: chance.of(['agent', 'agent', 'person', 'advice'] as const),
  }));
  const moves = chance.below(wellFormed + 1);
  return {
    label: null,
    turns,
    wellFormed,
    moves,
    length: turns,
    calls,
    firstHelp: null,
    help: 'none' as const,
    asks: 0,
  };
}

describe('the graduated reward', () => {
  it('is 2.0 alone, 1.3 after an honest failed try, 0.8 when asked before one, as published', () => {
    expect(shaped(solo())).toEqual({ base: 1, modifier: 1, pattern: 'solo', total: 2 });
    expect(shaped(recovered())).toEqual({ base: 1, modifier: 0.3, pattern: 'recovery', total: 1.3 });
    expect(shaped(blind())).toEqual({ base: 1, modifier: -0.2, pattern: 'blind', total: 0.8 });
  });

  it('is the verifier’s word alone where the task was not completed', () => {
    const undone = episode().open().call('get_order', { order_id: 7 }, FAILED).end('incomplete').record();
    expect(shaped(undone)).toEqual({ base: 0.1, modifier: 0, pattern: null, total: 0.1 });
  });
});

describe('rewards that are accepted', () => {
  const change = (over: object): unknown => ({ ...REWARD_DEFAULTS, ...over });
  const { shaping, rubric } = REWARD_DEFAULTS;

  it.each([
    [
      'the order is turned round',
      change({ shaping: { ...shaping, modifiers: { solo: 0.1, recovery: 0.3, blind: -0.2 } } }),
      /order/,
    ],
    [
      'a blind completion falls to a failure',
      change({ shaping: { ...shaping, modifiers: { solo: 1, recovery: 0.3, blind: -0.9 } } }),
      /blind ask/,
    ],
    [
      'weights do not sum to 1',
      change({ rubric: { ...rubric, weights: { primary: 0.5, process: 0.2 } } }),
      /sum/,
    ],
    [
      'a weight is outside [0, 1]',
      change({ rubric: { ...rubric, weights: { primary: 1.5, process: -0.5 } } }),
      /weights/,
    ],
    [
      'another label is worth as much as complete',
      change({ rubric: { ...rubric, primary: { complete: 1, others: 1 } } }),
      /complete/,
    ],
    [
      'a difference is lost beside a large base',
      change({ shaping: { ...shaping, base: { ...shaping.base, complete: 1e17 } } }),
      /order/,
    ],
    [
      'polish could earn more than a completed task',
      change({ rubric: { ...rubric, unfinished: 0.9 } }),
      /not completed could earn 0.58, one that was as little as 0.4/,
    ],
    [
      'a weight names no component',
      change({ rubric: { ...rubric, weights: { ...rubric.weights, luck: 0 } } }),
      /no component luck/,
    ],
    ['slow is not above fast', change({ rubric: { ...rubric, slow_turns: 4 } }), /slow_turns/],
    ['there is something unknown', change({ bonus: 1 }), /bonus/],
  ])('are refused when %s', (_, input, message) => {
    expect(() => checkRewards(input)).toThrow(message);
  });

  it('hold solo > recovery > blind > any failure, whatever numbers are accepted', () => {
    const chance = createChance(7);
    const number = (): number => chance.below(601) / 100 - 3;
    let accepted = 0;
    for (let tries = 0; tries < 5000; tries += 1) {
      const settings: RewardSettings = {
        ...REWARD_DEFAULTS,
        shaping: {
          base: { complete: number(), incomplete: number(), format_error: number(), other: number() },
          modifiers: { solo: number(), recovery: number(), blind: number() },
          format_error_share: chance.next(),
        },
      };
      try {
        checkRewards(settings);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Failure);
        continue;
      }
      accepted += 1;
      const totals = [solo(), recovered(), blind()].map(
        (record) => breakdownOf(knownOf(record), settings).shaped.total,
      );
      const { incomplete, format_error: format, other } = settings.shaping.base;
      const order = [...totals, Math.max(incomplete, format, other)];
      for (const [index, value] of order.slice(1).entries()) expect(order[index]).toBeGreaterThan(value);
    }
    expect(accepted).toBeGreaterThan(50);
  });
});

describe('any accepted rubric', () => {
  it('puts every completed task above every one that was not, whatever the numbers and the episodes', () => {
    const chance = createChance(11);
    const whole = (most: number): number => 1 + chance.below(most);
    const weights = (): Record<string, number> => {
      const parts = COMPONENT_NAMES.map(() => chance.next() ** 3);
      const sum = parts.reduce((all, part) => all + part, 0);
      return Object.fromEntries(COMPONENT_NAMES.map((name, index) => [name, (parts[index] ?? 0) / sum]));
    };
    let accepted = 0;
    const wrong: RewardSettings[] = [];
    for (let tries = 0; tries < 20_000 && accepted < 1000; tries += 1) {
      const settings: RewardSettings = {
        ...REWARD_DEFAULTS,
        rubric: {
          weights: weights(),
          primary: { complete: chance.next(), incomplete: chance.next() / 2, others: chance.next() / 4 },
          unfinished: chance.next(),
          process_calls: whole(8),
          format_turns: whole(8),
          efficient_turns: whole(10),
          slow_turns: 1 + whole(20),
        },
      };
      if (brokenRules(settings).length > 0) continue;
      accepted += 1;
      const done = rubricScore({ ...anyFacts(chance), label: 'complete' }, settings.rubric).total;
      const label = chance.of(['incomplete', 'others', 'judge_error', null]);
      const undone = rubricScore({ ...anyFacts(chance), label }, settings.rubric).total;
      if (!(done > undone && undone >= 0 && done <= 1 + 1e-9)) wrong.push(settings);
    }
    expect(wrong).toEqual([]);
    expect(accepted).toBeGreaterThan(500);
  });
});

describe('the rubric', () => {
  it('weighs components in [0, 1] to a total in [0, 1], and names each', () => {
    const { rubric } = breakdownOf(knownOf(solo()), REWARD_DEFAULTS);
    expect(rubric.components).toEqual({ primary: 1, process: 1, format: 1, efficiency: 1 });
    expect(rubric.total).toBeCloseTo(1, 12);
  });

  it('takes further components, and refuses a weight that names none', () => {
    const facts = factsOf(solo());
    const settings = { ...REWARD_DEFAULTS.rubric, weights: { primary: 0.5, asks: 0.5 } };
    expect(() => rubricScore(facts, settings)).toThrow(/no component asks/);
    const scored = rubricScore(facts, settings, { primary: () => 1, asks: ({ asks }) => 1 / (1 + asks) });
    expect(scored).toEqual({ total: 1, components: { primary: 1, asks: 1 }, gate: 1 });
  });
});

describe('what counts as the agent’s', () => {
  it('is what it proposed: a format error stays one whoever mended the call', () => {
    const record = blind();
    expect(factsOf(record)).toMatchObject({ turns: 3, wellFormed: 2 });
    expect(breakdownOf(knownOf(record), REWARD_DEFAULTS).format_error_rate).toBeCloseTo(1 / 3, 12);
  });
});
