import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';
import { PACK } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

/** What each command printed, one after the other. */
async function run(...commands: string[][]) {
  const typed = commands.map((args) => ({ args: ['run', '--json', ...args] }));
  const { codes, out, err } = await typeIn(folder(), typed);
  const lines = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const episodes = lines.filter(({ type }) => type === 'episode');
  return {
    codes,
    lines,
    err,
    episodes: episodes.map((one) => `${String(one['scenario'])} ${String(one['task_idx'])}`),
  };
}

it('says before anything runs that drafts come from the reference where no model is set', async () => {
  const world = ['--world', PACK, '--task', '0', '--agent', 'rehearsal'];
  const says = 'a rule that has read the reference solution writes the drafts, unchecked';
  const { err } = await run([...world, '--condition', 'model']);
  expect(err.split('\n').findIndex((line) => line.includes(says))).toBeLessThan(2);
  expect(err).toContain(says);
  expect((await run([...world, '--condition', 'none'])).err).not.toContain(says);
});

it('runs the first task of every scenario, and says how far it is and when it will be over', async () => {
  const { codes, lines, episodes } = await run(['--world', 'all', '--task', '0', '--concurrency', '4']);

  expect(codes).toEqual([0]);
  expect(episodes).toContain(`${PACK} 0`);
  expect(new Set(episodes).size).toBe(episodes.length);
  const last = lines.findLast(({ type }) => type === 'progress');
  expect(last).toMatchObject({ finished: episodes.length, total: episodes.length, skipped: 0, eta_s: 0 });
});

it('runs the tasks of a public split’s list, and asks which where there are two', async () => {
  const split = {
    meta: { seed: 1 },
    train: [[PACK, 1]],
    val: [
      [PACK, 3],
      [PACK, 0],
    ],
  };
  writeFileSync(join(folder(), 'split.json'), JSON.stringify(split));
  writeFileSync(join(folder(), 'pairs.json'), JSON.stringify([[PACK, 2]]));

  const { codes, episodes, lines, err } = await run(
    ['--world', 'all', '--tasks', 'split.json', '--list', 'val'],
    ['--world', 'all', '--tasks', 'pairs.json'],
    ['--tasks', 'split.json', '--env', 'http://127.0.0.1:9'],
  );

  expect(codes).toEqual([0, 0, 2]);
  expect(episodes.toSorted()).toEqual([`${PACK} 0`, `${PACK} 2`, `${PACK} 3`]);
  expect(err).toContain('Running the val list of split.json: 2 tasks.');
  expect(err).toContain('Running pairs.json: 1 task.');
  expect(lines.at(-1)).toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('train and a val'),
  });
});

it('goes on with a run by its name: what ended is not run again', async () => {
  const named = ['--world', PACK, '--run', 'night'];

  const { episodes, err, lines } = await run(
    [...named, '--task', '0-1'],
    [...named, '--task', '0-2'],
    [...named, '--task', '0-2'],
    ['--world', PACK, '--run', 'another', '--task', '0'],
  );

  expect(episodes.toSorted()).toEqual([`${PACK} 0`, `${PACK} 0`, `${PACK} 1`, `${PACK} 2`]);
  expect(err).toContain('2 of 3 episodes of run night are over already.');
  expect(lines.filter(({ type }) => type === 'progress')[2]).toMatchObject({ skipped: 2, total: 1 });
});
