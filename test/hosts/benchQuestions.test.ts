import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LiftSummary } from '../../src/shared/lift/summary.ts';
import { typeIn } from '../support/commandLine.ts';
import { PACK } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const RUN = ['run', '--world', PACK, '--task', '1', '--agent', 'rehearsal', '--condition', 'model'];
const LIFT = ['bench', '--from-questions', '5', '--seeds', '3'];
const written = (out: string, file: string): string => readFileSync(join(folder(), out, file), 'utf8');

it('writes a report that `interject report` makes again from its summary or its name, and measures nothing twice', async () => {
  const { codes, err } = await typeIn(folder(), [
    { args: RUN },
    { args: [...LIFT, '--name', 'worth', '--out', 'one'] },
    { args: [...LIFT, '--name', 'worth', '--out', 'again'] },
    { args: ['report', 'one', '--out', 'redrawn'] },
    { args: ['report', 'worth', '--out', 'named'] },
    { args: [...LIFT, '--name', 'worth', '--out', 'one'] },
    { args: ['bench', '--from-questions', '5', '--seeds', '1', '--out', 'one'] },
  ]);

  expect(codes).toEqual([0, 0, 0, 0, 0, 0, 2]);
  expect(err).toMatch(/one holds the result of the lift worth\n {2}Name an empty folder/);
  const summary = LiftSummary.parse(JSON.parse(written('one', 'results_summary.json')));
  expect(summary).toMatchObject({
    planned: 6,
    finished: 6,
    is_complete: true,
    agent: { is_rehearsal: true },
  });
  // A script does the same every time: what is seen is no cause.
  expect(summary.interventions).toMatchObject([{ kind: 'descriptive', reason: 'not_resampled', low: null }]);
  expect(written('one', 'report.md')).toContain('REHEARSAL');
  for (const file of ['results_summary.json', 'report.md', 'figures/lift.svg']) {
    expect(written('again', file)).toBe(written('one', file));
    expect(written('redrawn', file)).toBe(written('one', file));
    expect(written('named', file)).toBe(written('one', file));
  }
  // How a continuation came out is told only at the end.
  expect(err.match(/^\[\d of 6.*: over$/gm)).toHaveLength(6);
});

it('says what is wrong before anything runs', async () => {
  mkdirSync(join(folder(), 'home'));
  const { codes, out } = await typeIn(folder(), [
    { args: ['bench', '--json'] },
    { args: ['bench', '--json', '--from-questions', 'nobody'] },
  ]);

  expect(codes).toEqual([2, 1]);
  const messages = out
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages).toEqual([
    'say which tasks to run: --split FILE',
    'there is no episode nobody in this data folder',
  ]);
  expect(existsSync(join(folder(), 'one'))).toBe(false);
});
