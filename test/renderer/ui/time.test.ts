import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../src/renderer/ui/clock.ts';
import { formatAge } from '../../../src/renderer/ui/time.ts';

describe('how long ago', () => {
  it('reads in one unit, the largest that fits', () => {
    const ages = [0, 1999, 42_000, 59_999, 60_000, 3_599_000, 7_200_000, 3 * 86_400_000].map(formatAge);

    expect(ages).toEqual(['now', 'now', '42 s', '59 s', '1 min', '59 min', '2 h', '3 d']);
  });

  it('never reads as the future when two clocks differ', () => {
    expect(formatAge(-5000)).toBe('now');
  });
});

describe('the clock of the screen', () => {
  afterEach(() => vi.useRealTimers());

  it('gives every reader the same moment, and stops ticking when nobody reads', async () => {
    vi.useFakeTimers();
    let real = 1_000_000;
    const clock = createClock(() => real);
    let ticks = 0;
    const end = clock.subscribe(() => (ticks += 1));

    real += 400;
    const before = clock.now();
    vi.advanceTimersByTime(1000);
    const after = clock.now();
    end();
    real += 5000;
    vi.advanceTimersByTime(5000);

    expect(before).toBe(1_000_000);
    expect(after).toBe(1_000_400);
    expect(ticks).toBe(1);
    expect(clock.now()).toBe(1_005_400);
  });
});
