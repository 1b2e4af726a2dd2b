// The loop on one machine (`npm run loop`): its depots always, the whole circle where the training kit is installed.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { kitIsInstalled, kitRows, pythonRows, ran, root } from './support.ts';

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

describe.skipIf(!kitIsInstalled())('the whole circle, small', { timeout: 900_000 }, () => {
  it('exports, trains and tries every arm, never trains on a held-out task, and says what it shows', async () => {
    const out = join(folder, 'out');
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
    const command = `${process.execPath} ${join(root, 'bin/interject.mjs')}`;
    const args = Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const loop = () => kitRows(join(LOOP, 'loop.py'), ['--interject', command, '--out', out, ...args], {});
    await loop();

    const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as {
      arms: { name: string; by_task: number[]; by_seed: number[]; completion: number }[];
      primary: { first: string; second: string; is_shown: boolean };
    };
    expect(results.arms.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['no training', 'demonstrations', 'interventions']),
    );
    for (const { by_task: tasks, by_seed: seeds, completion } of results.arms) {
      expect(tasks).toHaveLength(4);
      const mean = (of: number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length;
      expect(mean(tasks)).toBeCloseTo(completion);
      expect(mean(seeds)).toBeCloseTo(completion);
    }
    expect(results.primary).toMatchObject({ first: 'interventions', second: 'no training' });
    const data = join(out, 'data');
    for (const one of readdirSync(data)) {
      for (const file of readdirSync(join(data, one, 'data'))) {
        expect(readFileSync(join(data, one, 'data', file), 'utf8')).not.toContain('depot_held');
      }
    }
    expect(existsSync(join(out, 'report.md'))).toBe(true);

    // Broken off and started again it does what is missing, and nothing else.
    rmSync(join(out, 'report.md'));
    const steps = readFileSync(join(out, 'steps.json'), 'utf8');
    await loop();
    expect(readFileSync(join(out, 'steps.json'), 'utf8')).toBe(steps);
    const again = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as { arms: unknown };
    expect(again.arms).toEqual(results.arms);
  });
});
