import { describe, expect, it } from 'vitest';
import { episodeRow, STRIP_MAX, stripLabel, stripOf } from '../../src/shared/episode/rows.ts';
import { assisted, episode } from '../renderer/parts/episodes.ts';

describe('a strip', () => {
  it('has one character a turn: error, call, question, calls, final answer', () => {
    expect(stripOf(assisted().record())).toBe('xoaoof');
    expect(stripLabel('xoaoof')).toBe('6 turns, 1 error, 1 question');
  });

  it('says that the last turn waits for a person, and since when', () => {
    const record = episode().open().ask('Which?').record();

    expect(stripOf(record)).toBe('w');
    expect(episodeRow(record)).toMatchObject({
      strip: 'w',
      waiting_since: record.consultations[0]?.askedAt,
      forked_from: null,
    });
  });

  it('keeps the newest turns of a long episode', () => {
    const long = episode().open();
    for (let i = 0; i < STRIP_MAX + 5; i += 1) long.call('get_order', { order_id: i }, { text: '{}' });
    long.call('get_order', { order_id: 'x' }, { error: 'no' });

    const strip = stripOf(long.record());
    expect(strip).toHaveLength(STRIP_MAX);
    expect(strip.endsWith('ox')).toBe(true);
  });
});
