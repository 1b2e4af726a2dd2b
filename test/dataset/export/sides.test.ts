import { describe, expect, it } from 'vitest';
import { BUILT_IN_NAME } from '../../../src/shared/environmentKinds.ts';
import type { ExportFormat, ExportRules } from '../../../src/shared/contract/export.ts';
import { checkExport } from '../../../src/main/dataset/export/runExport.ts';
import { splitOf, taskKey } from '../../../src/main/dataset/export/select.ts';
import { HOOKS } from '../../support/exported.ts';
import { rulesOf } from '../../support/exporting.ts';
import { openLog } from '../../support/log.ts';
import { episodeEntries } from '../../support/manyEpisodes.ts';

const VALIDATION = { share: 0.3, seed: 1 };
const sideOf = (task: number) => splitOf(taskKey(BUILT_IN_NAME, ['shop_1', task]), VALIDATION);

type Over = NonNullable<Parameters<typeof episodeEntries>[2]>;
/** An episode of each of forty tasks; the side of its task may say how it is. */
function logOf(over: (side: 'train' | 'validation', task: number) => Over) {
  const log = openLog();
  for (let task = 0; task < 40; task += 1) {
    const shape = { number: task, task_idx: task, ...over(sideOf(task), task) };
    log.importStreams([
      { stream: `e${String(task)}`, entries: episodeEntries(`e${String(task)}`, task, shape) },
    ]);
  }
  return log;
}
const failed: Over = { end: { reward_type: 'incomplete', reward: 0 } };

/** What the checks of whole files say. */
async function said(format: ExportFormat, log: ReturnType<typeof openLog>, rules: Partial<ExportRules>) {
  const report = await checkExport(log, { format, rules: rulesOf(rules) }, HOOKS);
  return {
    ...report,
    errors: report.findings.flatMap(({ check, level, message }) =>
      level === 'error' ? [{ check, message }] : [],
    ),
  };
}

describe('both classes on each side', () => {
  it('are needed by KTO: one that lies in the other file is not there', async () => {
    const log = logOf((side, task) => (side === 'train' && task % 2 === 0 ? failed : {}));

    const split = await said('kto', log, { validation: VALIDATION });
    const { validation } = split.splits;
    expect(validation).toBeGreaterThan(0);
    expect(split.errors).toEqual([
      {
        check: 'single_class',
        message: `In validation only one class is there (true ${String(validation)}): KTO weighs one against the other and needs both.`,
      },
    ]);
    expect((await said('kto', log, {})).errors).toEqual([]);
  });

  it('are no matter on a side without rows', async () => {
    const log = logOf((_, task) => (task % 2 === 0 ? failed : {}));
    const train = Array.from({ length: 40 }, (__, task) => task).filter((task) => sideOf(task) === 'train');

    const { splits, errors } = await said('kto', log, {
      validation: VALIDATION,
      episodes: train.map((task) => `e${String(task)}`),
    });
    expect(splits.validation).toBe(0);
    expect(errors).toEqual([]);
  });

  it('are named where both sides lack one, and where there is no split', async () => {
    const log = logOf((side) => (side === 'train' ? failed : {}));
    const same = logOf(() => ({}));

    expect((await said('kto', log, { validation: VALIDATION })).errors[0]?.message).toMatch(
      /^In train only one class is there \(false \d+\); in validation only one class is there \(true \d+\): KTO/,
    );
    expect((await said('kto', same, {})).errors[0]?.message).toMatch(
      /^Only one class is there \(true 160\): KTO/,
    );
  });
});
