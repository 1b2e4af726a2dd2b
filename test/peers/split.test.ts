// A split that our command made, read in Python after the published form; and the kit's word on its held-out tasks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { pythonRows, ran } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'interject-split-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('loads as the recipe’s does, and the training kit refuses the tasks that it holds out', async () => {
  const [manifest, data, rows] = [join(folder, 'split.json'), join(folder, 'log'), join(folder, 'rows')];
  const world = ['--world', 'loomline_workflows', '--task', '0-5'];
  await ran([
    'bench',
    'split',
    ...world,
    '--rollouts',
    '0',
    '--val-fraction',
    '0.5',
    '--out',
    manifest,
    '--data',
    data,
  ]);
  await ran(['run', ...world, '--data', data]);
  await ran(['export', '--format', 'grpo', '--any', '--kit', 'trl', '--out', rows, '--data', data]);

  const [read] = await pythonRows('openenv-0.10.0', 'read_split.py', [manifest, join(rows, 'kit'), rows]);

  expect(read).toMatchObject({
    train: 3,
    val: 3,
    refused: { train: [false, false, false], val: [true, true, true] },
  });
});
