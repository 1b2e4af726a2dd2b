import { expect, it } from 'vitest';
import { createTurns } from '../../src/main/hosts/edges.ts';

/** A clock that work moves, and rounds of the loop that are gone through by hand. */
function scene() {
  let now = 0;
  const rounds: (() => void)[] = [];
  const turn = createTurns({
    monotonic: () => now,
    later: (run) => rounds.push(run),
    afterwards: (run) => queueMicrotask(() => process.nextTick(run)),
  });
  const gone: number[] = [];
  return {
    gone,
    rounds,
    come: (who: number, ms: number): Promise<void> =>
      turn().then(() => {
        gone.push(who);
        now += ms;
      }),
    /** One round, and all that it lets on. */
    nextRound: async (): Promise<void> => {
      for (const run of rounds.splice(0)) run();
      await new Promise((proceed) => setImmediate(proceed));
    },
  };
}

it('lets a crowd on for some milliseconds a round, in the order in which they came', async () => {
  const { come, nextRound, gone, rounds } = scene();

  const crowd = [0, 1, 2, 3, 4, 5, 6].map((who) => come(who, 3));
  await new Promise((proceed) => setImmediate(proceed));
  const first = [...gone];
  await nextRound();
  const second = [...gone];
  await nextRound();
  await nextRound();
  await Promise.all(crowd);
  await nextRound();

  expect(first).toEqual([0, 1, 2]);
  expect(second).toEqual([0, 1, 2, 3, 4, 5]);
  expect(gone).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(rounds).toHaveLength(0);
});

it('lets on after the others who comes when a round is used up, and at once who comes alone', async () => {
  const { come, nextRound, gone, rounds } = scene();

  await come(0, 5);
  await new Promise((proceed) => setImmediate(proceed));
  await come(1, 5);
  const crowd = [2, 3, 4, 5, 6].map((who) => come(who, 3));
  await new Promise((proceed) => setImmediate(proceed));
  const first = [...gone];
  await nextRound();
  const second = [...gone];
  await nextRound();
  const third = [...gone];
  await Promise.all(crowd);
  await nextRound();
  const isQuiet = rounds.length === 0;
  await come(7, 1);

  expect(first).toEqual([0, 1]);
  expect(second).toEqual([0, 1, 2, 3, 4]);
  expect(third).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(isQuiet).toBe(true);
  expect(gone.at(-1)).toBe(7);
});
