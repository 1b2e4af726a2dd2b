import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BenchSummary } from '../../src/shared/bench/summary.ts';
import { typeIn } from '../support/commandLine.ts';
import { PACK } from '../support/worlds.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const split = { meta: { seed: 1 }, train: [], val: [[PACK, 0]] };
  writeFileSync(join(folder, 'split.json'), JSON.stringify(split));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BENCH = ['bench', '--split', 'split.json', '--seeds', '2', '--agent', 'rehearsal', '--privileged'];
const written = (out: string, file: string): string => readFileSync(join(folder, out, file), 'utf8');

it('gives the same bytes when it is repeated, and its report by name and by folder is one report', async () => {
  const arms = [...BENCH, '--conditions', 'none,human+draft', '--unattended'];
  const named = [...arms, '--name', 'held'];
  const { codes, err } = await typeIn(folder, [
    { args: [...named, '--out', 'one'] },
    { args: [...named, '--out', 'again'] },
    { args: ['report', 'held', '--out', 'by-name'] },
    { args: ['report', 'one', '--out', 'by-folder'] },
    { args: [...named, '--out', 'other', '--data', join(folder, 'other-home'), '--concurrency', '1'] },
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
}, 60_000);

it('says what is wrong with a plan before anything runs', async () => {
  const { codes, out } = await typeIn(folder, [
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
}, 60_000);
