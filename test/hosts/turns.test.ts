import { expect, it } from 'vitest';
import { createTurns } from '../../src/main/hosts/turns.ts';

it('lets a crowd on a few at a time, in the order in which they came, and one who comes alone at once', async () => {
  const rounds: (() => void)[] = [];
  const turn = createTurns((run) => rounds.push(run));
  const nextRound = async (): Promise<void> => {
    for (const run of rounds.splice(0)) run();
    await Promise.resolve();
  };
  const gone: number[] = [];
  const come = (who: number): Promise<void> => turn().then(() => void gone.push(who));

  const crowd = [0, 1, 2, 3, 4, 5, 6].map(come);
  await Promise.resolve();
  const first = [...gone];
  await nextRound();
  const second = [...gone];
  await nextRound();
  await Promise.all(crowd);
  const all = [...gone];
  await nextRound();
  await nextRound();
  const isQuiet = rounds.length === 0;
  await come(7);

  expect(first).toEqual([0, 1, 2]);
  expect(second).toEqual([0, 1, 2, 3, 4, 5]);
  expect(all).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(isQuiet).toBe(true);
  expect(gone.at(-1)).toBe(7);
});
