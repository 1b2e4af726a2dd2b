import { expect, it } from 'vitest';
import { createLanes, type RunAlone } from '../../../src/main/dataset/import/readOnThread.ts';

/** Resolves when every promise that could go on has done so. */
const everythingReady = (): Promise<void> => new Promise(setImmediate);

/** Files as they go through: what each does is told, its time ended by hand. */
function createFiles() {
  const lanes = createLanes();
  const told: string[] = [];
  const done: Promise<void>[] = [];
  const ends = new Map<string, () => void>();
  const held = (what: string): Promise<void> => {
    told.push(what);
    return new Promise((end) => ends.set(what, end));
  };
  const begin = (isSmall: boolean, work: (alone: RunAlone) => Promise<void>): void => {
    done.push(new Promise((settle) => lanes(isSmall, (alone) => work(alone).finally(settle))));
  };
  return {
    told,
    done,
    small: (name: string) => begin(true, () => held(`read ${name}`)),
    large: (name: string) =>
      begin(false, async (alone) => {
        await held(`take ${name} in`);
        await alone();
        await held(`read ${name}`);
      }),
    broken: () => begin(false, () => Promise.resolve()),
    end: async (what: string) => {
      ends.get(what)?.();
      await everythingReady();
    },
  };
}

it('a large file is taken in beside small ones, read alone, and the next large one is taken in meanwhile', async () => {
  const { small, large, told, end } = createFiles();
  small('a');
  large('L');
  large('M');
  small('b');
  await everythingReady();
  expect(told.toSorted()).toEqual(['read a', 'read b', 'take L in']);

  await end('take L in');
  small('c');
  await end('read a');
  expect(told).not.toContain('read L');
  await end('read b');
  expect(told.slice(3)).toEqual(['read L', 'take M in']);

  await end('take M in');
  expect(told).toHaveLength(5);
  await end('read L');
  expect(told.slice(5)).toEqual(['read c']);
  await end('read c');
  expect(told.slice(6)).toEqual(['read M']);
});

it('a large file that cannot be taken in keeps nobody waiting', async () => {
  const { small, large, broken, told, done, end } = createFiles();
  broken();
  large('L');
  small('a');
  await everythingReady();
  await end('take L in');
  await end('read a');
  await end('read L');
  await Promise.all(done);
  expect(told.toSorted()).toEqual(['read L', 'read a', 'take L in']);
});
