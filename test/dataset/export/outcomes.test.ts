import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attachAnswers, type AnswerLine } from '../../../src/main/desk/scriptedAnswers.ts';
import type { ExportFormat, ExportRules } from '../../../src/shared/contract/export.ts';
import { makeRows } from '../../support/exporting.ts';
import { createFlow, serveEnvironment, spec } from '../../support/flow.ts';
import { edited, GOOD, labelled } from './episodes.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => void (environment = await serveEnvironment()));
afterEach(() => environment.close());

const ACCEPT: AnswerLine = { ask: 1, do: 'accept' };
const send = (text: string): AnswerLine => ({ ask: 1, do: 'send', text });

/** Episodes of one task, one after the other in one world: once it is right, it stays right. */
async function play(lines: readonly AnswerLine[]) {
  const { log, desk, supervisor } = createFlow({ places: 1 });
  for (const line of lines) {
    const undo = attachAnswers({ log, desk }, [line]);
    await supervisor.start(spec(environment.url)).ended;
    undo();
  }
  return log;
}

type Log = Parameters<typeof makeRows>[0];
async function pairs(log: Log, over: Partial<ExportRules> = {}, format: ExportFormat = 'preference') {
  const { rows, dropped } = await makeRows(log, format, over);
  const sides = rows.map((row) => [
    [row['chosen_outcome'], row['chosen_reward'], row['chosen_known']],
    [row['rejected_outcome'], row['rejected_reward'], row['rejected_known']],
  ]);
  return { sides, dropped, rows };
}
const UNKNOWN = ['', 0, 'unknown'];

describe('the outcomes of a pair', () => {
  it('are those of the episode in which a side was played, and unknown where it never was', async () => {
    const log = await play([send(GOOD)]);

    const { sides, rows } = await pairs(log);

    expect(sides).toEqual([[['complete', 1, 'episode'], UNKNOWN]]);
    expect(rows[0]).toMatchObject({ pair: 'advice' });
  });

  it('leave a pair out whose chosen side failed, and count it', async () => {
    const log = await play([send('rename_workflow({"id": 3})')]);

    const { rows, dropped } = await pairs(log);
    const taken = await pairs(log, { include: ['contrary'] });

    expect(rows).toEqual([]);
    expect(dropped).toMatchObject({ chosen_failed: 1 });
    expect(taken.sides).toEqual([[['others', 0, 'episode'], UNKNOWN]]);
  });

  it('leave a pair out whose rejected side completes the task in another episode of it', async () => {
    const log = await play([send(GOOD), ACCEPT]);

    const { rows, dropped } = await pairs(log);
    const taken = await pairs(log, { include: ['contrary'] });

    expect(rows).toEqual([]);
    expect(dropped).toMatchObject({ rejected_completed: 1 });
    expect(taken.sides).toEqual([
      [
        ['complete', 1, 'episode'],
        ['complete', 1, 'sibling'],
      ],
    ]);
  });

  it('know a call as what took effect: the changed one was played, the proposed one never was', async () => {
    const { sides } = await pairs((await edited(environment)).log);

    expect(sides).toEqual([[['complete', 1, 'episode'], UNKNOWN]]);
  });

  it('leave a label out that puts another call before the one that completed the task', async () => {
    const { log } = await labelled(environment);

    const { rows, dropped } = await pairs(log);
    const taken = await pairs(log, { include: ['contrary'] });

    expect(rows).toEqual([]);
    expect(dropped).toMatchObject({ rejected_completed: 1 });
    expect(taken.sides).toEqual([[UNKNOWN, ['complete', 1, 'episode']]]);
  });
});
