import { describe, expect, it } from 'vitest';
import { HOLD_DEFAULTS } from '../../src/shared/contract/gateway.ts';
import { createKeyRates } from '../../src/main/gateway/tap/child/keyRates.ts';

const key = {
  sha256: 'a',
  name: 'trainer',
  environment: 'env',
  url: '',
  at_once: null,
  ...HOLD_DEFAULTS,
  per_minute: 300,
};

/** Rates of a clock that stands still until it is moved. */
function stoppedRates() {
  const clock = { now: 1_000_000 };
  return { clock, rates: createKeyRates(() => clock.now) };
}

describe('a key that may do 300 things a minute', () => {
  it('does a minute’s worth at once, then five a second, and is refused connections meanwhile', () => {
    const { clock, rates } = stoppedRates();
    expect(rates.enter(key)).toHaveProperty('leave');
    expect(Array.from({ length: 299 }, () => rates.step(key))).toEqual(Array.from({ length: 299 }, () => 0));
    expect(rates.step(key)).toBe(200);
    expect(rates.step(key)).toBe(400);
    expect(rates.enter(key)).toEqual({ why: 'over 300 connections and steps a minute', retryAfterS: 1 });

    clock.now += 599;
    expect(rates.enter(key)).toHaveProperty('why');
    clock.now += 2;
    expect(rates.enter(key)).toHaveProperty('leave');
  });

  it('saves up no more than a minute’s worth', () => {
    const { clock, rates } = stoppedRates();
    rates.step(key);
    clock.now += 3_600_000;
    for (let i = 0; i < 300; i += 1) expect(rates.step(key)).toBe(0);
    expect(rates.step(key)).toBe(200);
  });
});
