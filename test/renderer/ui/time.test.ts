import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../src/renderer/ui/clock.ts';
import { chordKeys } from '../../../src/renderer/ui/Kbd.tsx';
import { sizeAfterKey } from '../../../src/renderer/ui/SplitPane.tsx';
import { formatAge, formatDuration } from '../../../src/renderer/ui/time.ts';

describe('how long ago', () => {
  it('reads in one unit, the largest that fits', () => {
    const ages = [0, 1999, 42_000, 59_999, 60_000, 3_599_000, 7_200_000, 3 * 86_400_000].map(formatAge);

    expect(ages).toEqual(['now', 'now', '42 s', '59 s', '1 min', '59 min', '2 h', '3 d']);
  });

  it('never reads as the future when two clocks differ', () => {
    expect(formatAge(-5000)).toBe('now');
  });
});

describe('how long it takes', () => {
  it('reads in at most two units', () => {
    const lengths = [80, 42_500, 185_000, 2 * 3_600_000 + 600_000, 90_000_000].map(formatDuration);

    expect(lengths).toEqual(['80 ms', '42 s', '3 min 05 s', '2 h 10 min', '1 d']);
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

describe('how a chord is drawn', () => {
  it('names the modifier the person has', () => {
    expect(chordKeys('mod+Enter', false)).toEqual(['Ctrl', 'Enter']);
    expect(chordKeys('mod+Enter', true)).toEqual(['⌘', 'Enter']);
    expect(chordKeys('g g', false)).toEqual(['g', 'g']);
    expect(chordKeys('+', false)).toEqual(['+']);
  });
});

describe('a pane', () => {
  it('grows towards the line an arrow key pushes, and never past its limits', () => {
    expect(sizeAfterKey('ArrowRight', 200, 'start', [100, 210])).toBe(210);
    expect(sizeAfterKey('ArrowRight', 200, 'end', [100, 400])).toBe(184);
    expect(sizeAfterKey('Home', 200, 'start', [100, 400])).toBe(100);
    expect(sizeAfterKey('x', 200, 'start', [100, 400])).toBeNull();
  });
});
