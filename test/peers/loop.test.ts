// The loop on one machine (`npm run loop`): its depots, and the whole circle with a table for a student; with a model where
// the training kit is installed. And the reader of the console's socket that it comes with.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { interject, kitIsInstalled, pythonRows, ran, root } from './support.ts';

const LOOP = join(root, 'resources/kit/loop');
const folder = mkdtempSync(join(tmpdir(), 'interject-loop-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the depots that a student learns in', { timeout: 120_000 }, () => {
  it('keep what every world keeps, share no name, and are the same bytes from the same seed', async () => {
    const [said] = await pythonRows('openenv-0.10.0', 'write_depots.py', [LOOP, folder]);
    expect(said).toEqual({ shared_names: 0, said: expect.stringContaining('would share names') as unknown });
    const warm = readFileSync(join(folder, 'first/depot_0/tasks.json'), 'utf8');
    expect(warm).toContain('set_status');
    expect(warm).not.toContain('move_crate');
    for (const depot of ['depot_0', 'depot_1', 'depot_2']) {
      expect(await ran(['world', 'check', join(folder, 'first', depot)])).not.toContain('fail');
      for (const file of readdirSync(join(folder, 'first', depot))) {
        expect(readFileSync(join(folder, 'first', depot, file))).toEqual(
          readFileSync(join(folder, 'second', depot, file)),
        );
      }
    }
  });
});

type Results = {
  arms: { name: string; rows: number; by_task: number[]; by_seed: number[]; completion: number }[];
  primary: { first: string; second: string };
  facts: Record<string, unknown>;
};

/** Runs `npm run loop` into a folder. */
async function loop(out: string, student: string, sizes: Record<string, number>): Promise<Results> {
  const args = Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const script = join(root, 'scripts/loop.mjs');
  await promisify(execFile)(process.execPath, [script, '--out', out, '--student', student, ...args], {
    env: { ...process.env, HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 16_000_000,
  });
  return JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as Results;
}

/** What holds of every report, and of the rows that it is about. */
function checkReport(out: string, { arms, primary }: Results, tasks: number): void {
  expect(arms.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['no training', 'demonstrations', 'interventions']),
  );
  const mean = (of: number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length;
  for (const { by_task: byTask, by_seed: bySeed, completion } of arms) {
    expect(byTask).toHaveLength(tasks);
    expect(mean(byTask)).toBeCloseTo(completion);
    expect(mean(bySeed)).toBeCloseTo(completion);
  }
  expect(primary).toMatchObject({ first: 'interventions', second: 'no training' });
  const data = join(out, 'data');
  for (const one of readdirSync(data)) {
    for (const file of readdirSync(join(data, one, 'data'))) {
      expect(readFileSync(join(data, one, 'data', file), 'utf8')).not.toContain('depot_held');
    }
  }
  expect(existsSync(join(out, 'report.md'))).toBe(true);
}

describe('the whole circle, small', { timeout: 900_000 }, () => {
  it('teaches a student that is a table of exported replies what only the expert at the desk could do', async () => {
    const out = join(folder, 'table');
    const sizes = {
      warm_depots: 1,
      warm_tasks: 30,
      warm_steps: 20,
      train_depots: 2,
      train_tasks: 6,
      held_depots: 1,
      held_tasks: 8,
      steps: 4,
      seeds: 1,
    };
    const results = await loop(out, 'table', sizes);

    checkReport(out, results, 8);
    const { facts, arms } = results;
    // It begins with every task but the moves, which no row of its warm-up shows.
    expect(facts).toMatchObject({
      student: 'table',
      'completed by no training': '0.0 of 2 moves, 6.0 of 6 new states',
      'completed by interventions': '2.0 of 2 moves, 6.0 of 6 new states',
      'completed by demonstrations': '2.0 of 2 moves, 6.0 of 6 new states',
      'completed by unhelped episodes': '0.0 of 2 moves, 6.0 of 6 new states',
    });
    expect(facts['calls edited by the expert']).toBeGreaterThan(0);
    expect(facts['calls approved by the expert']).toBeGreaterThan(0);
    expect(arms.find(({ name }) => name === 'interventions')?.rows).toBeGreaterThan(0);
  });

  it.skipIf(!kitIsInstalled())(
    'exports, trains a model by the kit and tries every arm, and goes on where it was broken off',
    async () => {
      const out = join(folder, 'model');
      const sizes = {
        warm_depots: 3,
        warm_ambiguous_depots: 1,
        warm_tasks: 40,
        train_depots: 2,
        train_tasks: 4,
        held_depots: 1,
        held_tasks: 4,
        // As many as the student needs to write calls at all: the expert corrects calls only.
        warm_steps: 200,
        steps: 2,
        seeds: 2,
      };
      const results = await loop(out, 'model', sizes);
      checkReport(out, results, 4);

      // Broken off and started again it does what is missing, and nothing else.
      rmSync(join(out, 'report.md'));
      const steps = readFileSync(join(out, 'steps.json'), 'utf8');
      const again = await loop(out, 'model', sizes);
      expect(readFileSync(join(out, 'steps.json'), 'utf8')).toBe(steps);
      expect(again.arms).toEqual(results.arms);
    },
  );
});

it('a script whose reader is of another version is told both, and what to do', async () => {
  const server = interject(['serve', '--no-open', '--port', '0', '--json', '--data', join(folder, 'home')]);
  try {
    const ready = JSON.parse(await server.firstLine) as { url: string; token: string };
    const { origin } = new URL(ready.url);
    const rows = await pythonRows('openenv-0.10.0', 'read_console.py', [LOOP, origin, ready.token]);
    expect(rows).toEqual([
      { desk: true },
      { refused: expect.stringMatching(/speaks version 2 of .*; this Interject speaks version 1\. Reload/) },
    ]);
  } finally {
    await server.end();
  }
});
