import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { BenchSummary } from '../../src/shared/bench/summary.ts';
import { typeIn } from '../support/commandLine.ts';
import { PACK } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
beforeEach(() => {
  const split = { meta: { seed: 1 }, train: [], val: [[PACK, 0]] };
  writeFileSync(join(folder(), 'split.json'), JSON.stringify(split));
});

const BENCH = ['bench', '--split', 'split.json', '--seeds', '2', '--agent', 'rehearsal', '--privileged'];
const written = (out: string, file: string): string => readFileSync(join(folder(), out, file), 'utf8');

it('gives the same bytes when it is repeated, and its report by name and by folder is one report', async () => {
  const arms = [...BENCH, '--conditions', 'none,human+draft', '--unattended'];
  const named = [...arms, '--name', 'held'];
  const { codes, err } = await typeIn(folder(), [
    { args: [...named, '--out', 'one'] },
    { args: [...named, '--out', 'again'] },
    { args: ['report', 'held', '--out', 'by-name'] },
    { args: ['report', 'one', '--out', 'by-folder'] },
    { args: [...named, '--out', 'other', '--data', join(folder(), 'other-home'), '--concurrency', '1'] },
  ]);

  expect(codes).toEqual([0, 0, 0, 0, 0]);
  const summary = BenchSummary.parse(JSON.parse(written('one', 'results_summary.json')));
  expect(summary).toMatchObject({ planned: 4, finished: 4, is_complete: true });
  expect(summary.arms.map(({ label }) => label)).toEqual(['none', 'human+draft(scripted)']);
  for (const file of ['results_summary.json', 'report.md']) {
    expect(written('again', file)).toBe(written('one', file));
    expect(written('other', file)).toBe(written('one', file));
  }
  for (const file of ['report.md', 'results_summary.json', 'figures/lift.svg'])
    expect(written('by-name', file)).toBe(written('by-folder', file));
  // The first ran four episodes, the second none, the third four.
  expect(err.match(/^\[\d+ of 4/gm)).toHaveLength(8);
  expect(err).toContain('4 are over already');
  expect(err).toContain('REHEARSAL');
});

it('says what is wrong with a plan before anything runs', async () => {
  const { codes, out } = await typeIn(folder(), [
    { args: ['bench', '--json'] },
    { args: [...BENCH, '--json', '--conditions', 'none,nobody'] },
    { args: [...BENCH, '--json', '--primary', 'none:human'] },
    { args: [...BENCH, '--json', '--before', 'a'] },
    { args: ['bench', '--json', '--split', 'split.json', '--agent', 'rehearsal'] },
    { args: [...BENCH, '--json', '--unattended', '--answers', 'a.jsonl'] },
  ]);

  expect(codes).toEqual([2, 2, 2, 2, 1, 2]);
  const messages = out
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages).toEqual([
    'say which tasks to run: --split FILE',
    'there is no condition nobody',
    'the primary comparison none:human names no two of the arms',
    'two checkpoints are compared without help: --before and --after alone',
    'nobody can draft advice for the arm model',
    '--answers and --unattended both answer in a person’s place',
  ]);
});

it('writes no result over another: the folder is empty, or holds this bench already', async () => {
  mkdirSync(join(folder(), 'mine'));
  writeFileSync(join(folder(), 'mine', 'notes.txt'), 'keep');
  mkdirSync(join(folder(), 'drawn'));
  writeFileSync(join(folder(), 'drawn', 'report.md'), 'keep');
  const one = [...BENCH, '--seeds', '1', '--conditions', 'none,model'];
  const { codes, err } = await typeIn(folder(), [
    { args: [...one, '--out', 'one', '--name', 'b1'] },
    { args: [...one, '--out', 'one', '--name', 'b1'] },
    { args: [...one, '--out', 'one', '--name', 'b2'] },
    { args: ['report', 'example', '--out', 'one'] },
    { args: ['bench', '--from-questions', 'b1', '--out', 'one'] },
    { args: [...one, '--out', 'mine'] },
    { args: [...one, '--out', 'drawn'] },
    { args: [...one, '--out', 'split.json'] },
  ]);

  expect(codes).toEqual([0, 0, 2, 2, 2, 2, 2, 2]);
  expect(BenchSummary.parse(JSON.parse(written('one', 'results_summary.json'))).plan.name).toBe('b1');
  expect(err.match(/one holds the result of the bench b1$/gm)).toHaveLength(3);
  expect(err).toMatch(/mine holds other files$/m);
  expect(err).toMatch(/drawn holds another report$/m);
  expect(err).toMatch(/split\.json is a file$/m);
  expect([written('mine', 'notes.txt'), written('drawn', 'report.md')]).toEqual(['keep', 'keep']);
});

it('refuses a split whose val tasks train too, unless that is known: then the plan and the report name them', async () => {
  const leak = {
    train: [
      [PACK, 0],
      [PACK, 1],
    ],
    val: [
      [PACK, 1],
      ['maplecart_shop', 0],
    ],
  };
  writeFileSync(join(folder(), 'leak.json'), JSON.stringify(leak));
  writeFileSync(join(folder(), 'twice.json'), JSON.stringify({ train: [], val: [...leak.val, [PACK, 1]] }));
  const one = [...BENCH.slice(3), '--seeds', '1', '--conditions', 'none,model'];
  const { codes, err } = await typeIn(folder(), [
    { args: ['bench', '--split', 'leak.json', ...one] },
    { args: ['bench', '--split', 'leak.json', ...one, '--allow-overlap', '--out', 'known'] },
    { args: ['bench', '--split', 'leak.json', ...one, '--section', 'train'] },
    { args: ['bench', '--split', 'twice.json', ...one] },
    { args: ['bench', '--split', 'nosuch.json', ...one] },
    { args: ['report', 'leak.json', '--out', 'split-report'] },
  ]);

  expect(codes).toEqual([2, 0, 0, 2, 2, 0]);
  expect(err).toContain(`the split leaks: ${PACK} 1 is in its val list and in its train list`);
  const summary = BenchSummary.parse(JSON.parse(written('known', 'results_summary.json')));
  expect(summary.plan.also_in_train).toEqual([[PACK, 1]]);
  expect(written('known', 'report.md')).toContain('LEAKING SPLIT: 1 of 2 tasks is in the training list too');
  expect(err).toContain(`${PACK} 1 is listed twice`);
  expect(err).toContain('there is no file nosuch.json');
  expect(written('split-report', 'report.md')).toContain('1 task is on both sides: this split leaks');
  expect(err).toContain('! 1 task is on both sides: this split leaks');
});
