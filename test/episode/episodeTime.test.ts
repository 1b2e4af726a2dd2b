import { expect, it } from 'vitest';
import { createEpisodeTime, keepUsedTime, usedTime } from '../../src/main/episode/episodeTime.ts';
import { createClock, openLog, reset, started, SYSTEM } from '../support/log.ts';

const HOUR = 3_600_000;

function begin(usedMs: number | null = null) {
  const log = openLog();
  const { clock, monotonic, ...hands } = createClock();
  const time = createEpisodeTime({
    limitMs: 10_000,
    environment: 'Mine',
    clock,
    monotonic,
    keepUsed: (used) => keepUsedTime(log, 'one', used),
  });
  time.beginTurns(usedMs);
  return { log, time, ...hands };
}

it.each([HOUR, -HOUR])(
  'a wall clock that is set %i ms on or back neither ends nor prolongs an episode',
  (jump) => {
    const { time, advance, setWallClock } = begin();

    advance(4_000);
    setWallClock(jump);
    expect(time.isUp()).toBe(false);
    advance(6_000);
    expect(time.isUp()).toBe(false);
    advance(1);
    expect(time.isUp()).toBe(true);
  },
);

it('what a person was waited for is not the agent’s time, and what was used before a kill is', async () => {
  const { time, advance } = begin(7_000);

  const answered = Promise.withResolvers<void>();
  const waiting = time.whileWaiting(answered.promise);
  advance(HOUR);
  answered.resolve();
  await waiting;

  advance(3_000);
  expect(time.isUp()).toBe(false);
  advance(1);
  expect(time.isUp()).toBe(true);
});

it('an episode whose program is killed after the clock was set goes on with the time that is left', () => {
  const { log, time, advance, setWallClock } = begin();
  log.append('one', SYSTEM, started());
  log.append('one', SYSTEM, reset());
  const until = (log.record('one').reset?.at ?? 0) + HOUR;

  // By the times of the log an hour is used.
  expect(usedTime(log, log.record('one'), until)).toBe(HOUR);
  advance(4_000);
  setWallClock(HOUR);
  time.isUp();

  expect(usedTime(log, log.record('one'), until)).toBe(4_000);
  log.close();
});
