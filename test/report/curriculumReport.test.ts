// The report of a run whose help was decided step by step: from the log, and again from its own folder.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';
import { trainingReport } from '../../src/main/report/trainingReport.ts';
import { decidedFrom, historyAfter, NO_HISTORY } from '../../src/shared/curriculum/history.ts';
import { curriculumStream } from '../../src/shared/events/curriculum.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';
import { TrainingSummary } from '../../src/shared/training/summary.ts';
import { rolloutsOf } from '../shared/curriculum/planted.ts';
import { openLog, SYSTEM } from '../support/log.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-curriculum-report-'));
  vi.stubEnv('INIT_CWD', folder);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Task 0 is solved alone from step 2 on, then forgotten. */
function decideSteps(): void {
  const log = openLog(join(folder, 'interject.db'));
  let history = NO_HISTORY;
  for (const [at, solved] of [0, 8, 8, 0, 0].entries()) {
    const rollouts = at === 0 ? [] : [...rolloutsOf(0, 8, { task_idx: 1 }), ...rolloutsOf(solved, 8)];
    const inputs = { step: at + 1, group: 8, prompts: 0, told: {}, rollouts };
    const { plan } = decidedFrom(history, inputs, history.settings);
    const event = { kind: 'curriculum.decided', run: 'grpo', inputs, plan } as const;
    log.append(curriculumStream('grpo'), SYSTEM, event);
    history = historyAfter(history, event);
  }
  log.close();
}

const written = (file: string): string => readFileSync(join(folder, file), 'utf8');

it('draws from which task the expert was withdrawn when, and says why, the same when it is made again', async () => {
  decideSteps();
  expect(await main(['report', 'grpo', '--data', '.', '--out', 'a'])).toBe(0);

  const summary = TrainingSummary.parse(JSON.parse(written('a/results_summary.json')));
  expect(summary.curriculum?.map.tasks[0]).toEqual({
    task: 'planted #0',
    cells: [null, 'alone', 'alone', 'returned', 'returned'],
  });
  expect(summary.curriculum?.decisions.map(({ step, phase }) => [step, phase])).toEqual([
    [1, 'scaffold'],
    [2, 'scaffold'],
    [3, 'independence'],
    [4, 'independence'],
    [5, 'independence'],
  ]);
  expect(summary.figures.map(({ file }) => file)).toContain('figures/withdrawal-map');
  expect(written('a/figures/withdrawal-map.svg')).toContain('The expert has left 0 of 2 tasks');
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
