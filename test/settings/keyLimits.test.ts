import { describe, expect, it } from 'vitest';
import { createKeyLimits } from '../../src/main/settings/keyLimits.ts';

const limits = [{ id: 'a', atOnce: null, perMinute: 300 }];
const WORDS = { open: 'connections', rate: 'connections and steps' };

/** Rates of a clock that stands still until it is moved. */
function stoppedRates() {
  const clock = { now: 1_000_000 };
  return { clock, rates: createKeyLimits(() => clock.now, WORDS) };
}

describe('a key that may do 300 things a minute', () => {
  it('does a minute’s worth at once, then five a second, and is refused connections meanwhile', () => {
    const { clock, rates } = stoppedRates();
    expect(rates.admit(limits)).toMatchObject({ isAdmitted: true });
    expect(Array.from({ length: 299 }, () => rates.holdUp(limits))).toEqual(
      Array.from({ length: 299 }, () => 0),
    );
    expect(rates.holdUp(limits)).toBe(200);
    expect(rates.holdUp(limits)).toBe(400);
    expect(rates.admit(limits)).toEqual({
      isAdmitted: false,
      why: 'over 300 connections and steps a minute',
      retryAfterS: 1,
    });

    clock.now += 599;
    expect(rates.admit(limits)).toMatchObject({ isAdmitted: false });
    clock.now += 2;
    expect(rates.admit(limits)).toMatchObject({ isAdmitted: true });
  });

  it('saves up no more than a minute’s worth', () => {
    const { clock, rates } = stoppedRates();
    rates.holdUp(limits);
    clock.now += 3_600_000;
    for (let i = 0; i < 300; i += 1) expect(rates.holdUp(limits)).toBe(0);
    expect(rates.holdUp(limits)).toBe(200);
  });
});
