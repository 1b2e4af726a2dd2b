import { describe, expect, it } from 'vitest';
import { episodeRow } from '../../src/shared/episode/rows.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { reasonText, SUGGESTION_LIMITS, suggestionFor } from '../../src/shared/suggestions.ts';
import { suggestedRows, whyText } from '../../src/renderer/views/desk/Suggestions.tsx';
import { episode, EXPERT, TAKEN_OVER, type Builder } from '../renderer/parts/episodes.ts';

const FAILED = { error: 'no such order', reward_type: 'invalid_args' };
type Returned = Parameters<Builder['call']>[2];
const times = (builder: Builder, count: number, returned: Returned, name = 'get_order'): Builder => {
  for (let i = 0; i < count; i += 1) builder.call(name, { order_id: i }, returned);
  return builder;
};
const levelOf = (builder: Builder): number => suggestionFor(builder.record())?.level ?? 0;
const rowOf = (builder: Builder) => {
  const row = episodeRow(builder.record());
  if (row === null) throw new Error('the episode has not begun');
  return row;
};

describe('an episode that fails without asking', () => {
  it('is suggested at three errors in a row, and no more once a call went through', () => {
    expect(levelOf(times(episode().open(), SUGGESTION_LIMITS.errors - 1, FAILED))).toBe(0);
    const failing = times(episode().open(), SUGGESTION_LIMITS.errors, FAILED);
    expect(suggestionFor(failing.record())).toEqual({
      level: 1,
      reasons: [{ rule: 'errors', count: 3, tool_name: null }],
    });
    expect(levelOf(times(failing, 1, { text: '{}' }))).toBe(0);
  });

  it('is suggested when it makes one call again and again, also where that works', () => {
    const builder = episode().open();
    for (let i = 0; i < 3; i += 1) builder.call('get_order', { order_id: 1 }, { text: '{}' });
    const reasons = suggestionFor(builder.record())?.reasons ?? [];
    expect(reasons.map(reasonText)).toEqual(['made the same call to get order 3 times']);
    expect(levelOf(times(episode().open(), 3, { text: '{}' }))).toBe(0);
  });

  it('is suggested when it tries nothing new for a dozen turns', () => {
    const builder = times(episode().open(), SUGGESTION_LIMITS.stall, { text: '{}' });
    expect(levelOf(builder)).toBe(0);
    builder.call('get_order', { order_id: 99 }, { text: '{}' });
    expect(suggestionFor(builder.record())?.reasons.map(reasonText)).toEqual([
      'tried nothing new for 12 turns',
    ]);
    expect(levelOf(builder.call('list_orders', { customer_id: 1 }, { text: '{}' }))).toBe(0);
  });

  it('is never suggested where help would change what is measured, nor while a person acts', () => {
    const bench = { bench: { arm: 'solo', is_key_withheld: false } };
    for (const over of [{ condition: 'none' as const }, bench, { probe: 'zero_shot' as const }])
      expect(levelOf(times(episode().open(over), 6, FAILED))).toBe(0);
    expect(levelOf(times(episode().open(), 6, FAILED).add(EXPERT, TAKEN_OVER))).toBe(0);
    expect(levelOf(times(episode().open(), 6, FAILED).end('incomplete'))).toBe(0);
  });

  it('stays dismissed until it gets worse, and comes back then', () => {
    const builder = times(episode().open(), 3, FAILED);
    expect(rowOf(builder).suggestion?.level).toBe(1);
    builder.add(SYSTEM, {
      kind: 'suggestion.shown',
      level: 1,
      reasons: [{ rule: 'errors', count: 3, tool_name: null }],
    });
    expect(rowOf(builder).suggestion?.level).toBe(1);
    builder.add(EXPERT, { kind: 'suggestion.answered', level: 1, act: 'watch' });
    expect(rowOf(builder).suggestion?.level).toBe(1);
    builder.add(EXPERT, { kind: 'suggestion.answered', level: 1, act: 'dismiss' });
    expect(rowOf(builder).suggestion).toBeUndefined();
    times(builder, 2, FAILED);
    expect(rowOf(builder).suggestion).toBeUndefined();
    times(builder, 1, FAILED);
    // Six errors, and one call three times.
    expect(rowOf(builder).suggestion?.level).toBe(3);
    expect(builder.record().counts.humanActs).toBe(0);
  });

  it('keeps its place on the desk while others get worse, and says why in words', () => {
    const early = { ...rowOf(times(episode('e1').open(), 3, FAILED)), id: 'a', started_at: 1 };
    const late = { ...rowOf(times(episode('e2').open(), 9, FAILED)), id: 'b', started_at: 2 };
    const rows = suggestedRows([late, { ...early, id: 'c', status: 'waiting' as const }, early]);
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(rows.map(whyText)).toEqual(['3 errors in a row', '9 errors in a row']);
  });
});
