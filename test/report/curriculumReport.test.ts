// The report of a run whose help was decided step by step: from the log, and again from its own folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';
import { trainingReport } from '../../src/main/report/trainingReport.ts';
import { decidedFrom, historyAfter, NO_HISTORY } from '../../src/shared/curriculum/history.ts';
import { curriculumStream } from '../../src/shared/events/library.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';
import { TrainingSummary } from '../../src/shared/training/summary.ts';
import { rolloutsOf } from '../shared/curriculum/planted.ts';
import { openLog, SYSTEM } from '../support/log.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
beforeEach(() => {
  vi.stubEnv('INIT_CWD', folder());
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Task 0 is solved alone from step 2 on, then forgotten. */
function decideSteps(): void {
  const log = openLog(join(folder(), 'interject.db'));
  let history = NO_HISTORY;
  for (const [at, solved] of [0, 8, 8, 0, 0].entries()) {
    const rollouts = at === 0 ? [] : [...rolloutsOf(0, 8, { task_idx: 1 }), ...rolloutsOf(solved, 8)];
    const inputs = { step: at + 1, group: 8, told: {}, rollouts };
    const { plan } = decidedFrom(history, inputs, history.settings);
    const event = { kind: 'curriculum.decided', run: 'grpo', inputs, plan } as const;
    log.append(curriculumStream('grpo'), SYSTEM, event);
    history = historyAfter(history, event);
  }
  log.close();
}

const written = (file: string): string => readFileSync(join(folder(), file), 'utf8');

it('says from which task the expert was withdrawn when, and why, the same when it is made again', async () => {
  decideSteps();
  expect(await main(['report', 'grpo', '--data', '.', '--out', 'a'])).toBe(0);

  const summary = TrainingSummary.parse(JSON.parse(written('a/results_summary.json')));
  expect(summary.curriculum?.decisions.map(({ step, phase }) => [step, phase])).toEqual([
    [1, 'scaffold'],
    [2, 'scaffold'],
    [3, 'independence'],
    [4, 'independence'],
    [5, 'independence'],
  ]);
  const text = written('a/report.md');
  expect(text).toContain('the expert leaves planted \\#0: alone it completed 8 of the last 8');
  expect(text).toContain('the expert comes back to planted \\#0');
  expect(text).toContain('| 3 | independence | 2 : 6 |');

  expect(await main(['report', 'a', '--out', 'b'])).toBe(0);
  for (const file of ['report.md', 'results_summary.json'])
    expect(written(`b/${file}`)).toBe(written(`a/${file}`));
});

it('of a run without a decision says nothing of a curriculum', () => {
  const { sections, summary } = trainingReport(PUBLIC_EXAMPLE);
  expect(sections.join('\n')).not.toContain('Curriculum');
  expect(summary).not.toHaveProperty('curriculum');
});

const phasesOf = (file: string): unknown => {
  const { curriculum } = TrainingSummary.parse(JSON.parse(written(file)));
  return curriculum?.decisions.flatMap(({ signals }) =>
    signals.flatMap(({ step, from, phase, reason }) => (reason === 'changes' ? [[step, from, phase]] : [])),
  );
};

it('says with --phases what the recipe’s phases would have been over the published run, and over a file', async () => {
  writeFileSync(join(folder(), 'run.csv'), 'step,format_error_rate\n1,0.9\n2,0.5\n3,0.5\n4,0.2\n5,0.2\n');

  expect(await main(['report', 'example', '--phases', '--out', 'a'])).toBe(0);
  expect(await main(['report', 'run.csv', '--phases', '--out', 'b'])).toBe(0);

  // With a hysteresis and two steps in a row: one step after the run itself, which changed after 10 and 28.
  expect(phasesOf('a/results_summary.json')).toEqual([
    [11, 'scaffold', 'balanced'],
    [29, 'balanced', 'independence'],
  ]);
  expect(phasesOf('b/results_summary.json')).toEqual([
    [3, 'scaffold', 'balanced'],
    [5, 'balanced', 'independence'],
  ]);
  expect(written('a/report.md')).toContain(
    '| 12 | balanced | 4 : 4 | Format errors 65.6 %: scaffold to balanced',
  );
  expect(written('a/report.md')).toContain('nothing of it was played');
});

it('refuses --phases where there is no series of format errors, or the phases were decided', async () => {
  decideSteps();
  writeFileSync(join(folder(), 'none.csv'), 'step,reward\n1,0.9\n');
  writeFileSync(join(folder(), 'odd.csv'), 'step,format_error_rate,reward\n1,73,0.1\n');
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

  for (const run of [['none.csv'], ['odd.csv'], ['grpo', '--data', '.'], ['example', '--with', 'none.csv']])
    expect(await main(['report', ...run, '--phases', '--out', 'a'])).toBe(2);

  const words = said.mock.calls.map(([text]) => String(text)).join('');
  expect(words).toContain('none tells no format errors by step');
  expect(words).toContain('format_error_rate is not between 0 and 1: step 1');
  expect(words).toContain('the phases of grpo were decided while it trained');
  expect(words).toContain('--phases is of one run');
});
