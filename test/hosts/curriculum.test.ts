import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';

const folder = mkdtempSync(join(tmpdir(), 'curriculum-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('tells what would have been decided over the published run, and over one of a file', async () => {
  writeFileSync(join(folder, 'run.csv'), 'step,format_error_rate\n1,0.9\n2,0.5\n3,0.2\n');
  writeFileSync(join(folder, 'none.csv'), 'step,reward\n1,0.9\n');
  const { codes, out, err } = await typeIn(folder, [
    { args: ['curriculum', '--hysteresis', '0', '--dwell', '1', '--json'] },
    { args: ['curriculum'] },
    { args: ['curriculum', '--series', 'run.csv', '--dwell', '1', '--json'] },
    { args: ['curriculum', '--series', 'none.csv', '--json'] },
  ]);

  expect(codes).toEqual([0, 0, 0, 2]);
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const [published, file] = told.filter(({ type }) => type === 'curriculum');
  expect(published).toMatchObject({ changes_after: [10, 28], recorded_changes_after: [10, 28], steps: 29 });
  expect(file).toMatchObject({ changes_after: [2, 3], recorded_changes_after: [] });
  expect(told[9]).toMatchObject({
    step: 10,
    rate: expect.closeTo(0.656, 9),
    from: 'scaffold',
    phase: 'balanced',
    expert: 4,
    solo: 4,
  });
  expect(err).toContain('After step 11 (65.6 % format errors): scaffold to balanced');
  expect(err).toContain('The run itself changed after steps 10 and 28.');
});

it('follows another signal of the same run, and says which runs it knows no decision of', async () => {
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  writeFileSync(join(folder, 'rewards.csv'), 'step,reward\n1,-0.5\n2,0.2\n3,0.9\n');
  writeFileSync(join(folder, 'wrong.json'), '{"speed":{}}');
  writeFileSync(join(folder, 'odd.csv'), 'step,format_error_rate,reward\n1,73,0.1\n');
  const { codes, out, err } = await typeIn(folder, [
    { args: ['curriculum', '--series', 'rewards.csv', '--signal', 'reward', '--dwell', '1', '--json'] },
    { args: ['curriculum', '--signal', 'timeout_rate'] },
    { args: ['curriculum', '--run', 'nobody'] },
    { args: ['curriculum', '--run', 'nobody', '--settings', 'rewards.csv'] },
    { args: ['curriculum', '--run', 'nobody', '--settings', 'nosuch.json'] },
    { args: ['curriculum', '--run', 'nobody', '--settings', 'wrong.json'] },
    { args: ['curriculum', '--settings', 'wrong.json'] },
    { args: ['curriculum', '--run', 'nobody', '--series', 'rewards.csv'] },
    { args: ['curriculum', '--series', 'rewards.csv', '--signal', 'solo_completion'] },
    { args: ['curriculum', '--series', 'odd.csv'] },
  ]);

  expect(codes).toEqual([0, 2, 1, 2, 2, 2, 2, 2, 2, 2]);
  expect(err).toContain('cannot read nosuch.json');
  expect(err).toContain('wrong.json holds no settings of a curriculum: it must not have "speed"');
  expect(err).toContain('--settings is of --run, and no run was named');
  expect(err).toContain('--run and --series are two different questions');
  expect(err).toContain('a column such as completed/solo or success_rate');
  expect(err).toContain('Not read: format_error_rate is not between 0 and 1: step 1');
  expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
    signal: 'reward',
    changes_after: [2, 3],
  });
  expect(err).toContain('After step 2 (reward 0.200): scaffold to balanced');
  expect(err).toContain('example tells no timeouts by step');
  expect(err).toContain('there is no decision of a run nobody');
  expect(err).toContain('rewards.csv holds no settings of a curriculum: it cannot be read as JSON');
});
