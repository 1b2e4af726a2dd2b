import { expect, it } from 'vitest';
import { timeAway } from '../../src/shared/episode/restarts.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';

const restart = (attempt: number, ran_until: number, at: number) => ({
  attempt,
  ran_until,
  at,
  n: attempt,
  actor: SYSTEM,
  used_ms: 0,
  wentOn: null,
});

it('the time an answer took leaves out what the program was away, once where two restarts share it', () => {
  const restarts = [restart(1, 100, 400), restart(2, 350, 500), restart(3, 900, 1000)];

  expect(timeAway({ restarts }, 0, 2000)).toBe(500);
  expect(timeAway({ restarts }, 450, 950)).toBe(100);
  expect(timeAway({ restarts: [] }, 0, 2000)).toBe(0);
});
