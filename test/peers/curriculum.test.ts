// A trainer's side of the curriculum (docs/runs.md), with nothing but Python's own library, against a real `interject serve`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { interject, pythonRows, root, type Program } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'interject-curriculum-'));
let server: Program;
let ready: { url: string };
/** Of the tap: a trainer's. */
let key = '';
beforeAll(async () => {
  server = interject(['serve', '--no-open', '--port', '0', '--json', '--data', join(folder, 'home')]);
  const line = await server.firstLine;
  ready = JSON.parse(line) as typeof ready;
  key = /\/t\/(ij-[\w-]+)/.exec(line)?.[1] ?? '';
}, 60_000);
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

type Planned = {
  step: number;
  same: boolean;
  told: boolean[];
  plan: {
    phase: string;
    tasks: { scenario: string; has_expert: boolean; hint: string }[];
  };
};

it('leads the training kit: its metrics move the phase, and a new run never takes up another’s decisions', async () => {
  const kit = join(root, 'resources/kit/trl');
  const rows = await pythonRows('openenv-0.10.0', 'kit_curriculum.py', [kit, new URL(ready.url).origin, key]);

  expect(rows).toEqual([
    { began: true, run: 'kit' },
    { share: 0.75, gone: [] },
    // One step below the bound waits, the second one in a row changes the phase.
    { share: 0.75 },
    { share: 0.25 },
    { began: true, run: 'kit-2' },
    { began: true, run: 'kit' },
    { lost: true },
  ]);
}, 60_000);

it('leads a trainer of plain Python from the scaffold to independence', async () => {
  const rows = await pythonRows('openenv-0.10.0', 'curriculum_client.py', [new URL(ready.url).origin, key]);
  const refused = rows.pop();
  const steps = rows as unknown as Planned[];
  const of = (scenario: string) =>
    steps.map(({ plan }) => plan.tasks.find((task) => task.scenario === scenario));

  expect(steps.map(({ same, told }) => [same, told])).toEqual(Array(8).fill([true, [true, false]]));
  expect(steps.map(({ plan }) => plan.phase)).toEqual([
    ...Array(4).fill('scaffold'),
    ...Array(4).fill('independence'),
  ]);
  // Alone at step 2 for the first time: all eight completed the easy task, and none the other.
  expect(of('easy').map((task) => task?.has_expert)).toEqual([true, true, ...Array(6).fill(false)]);
  expect(of('never').map((task) => task?.hint)).toEqual(
    'none none knowledge knowledge plan plan knowledge knowledge'.split(' '),
  );
  expect(refused).toMatchObject({ refused: 401, words: { code: 'invalid_api_key' } });
}, 120_000);
