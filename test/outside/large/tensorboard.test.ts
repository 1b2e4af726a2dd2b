// Our reader of TensorBoard files beside TensorBoard's own, on a file that its own writer wrote.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEventFile } from '../../../src/main/training/tensorboard.ts';
import { pythonRows, RELEASES } from '../../peers/support.ts';

it('reads every scalar that TensorBoard reads, old form and new, to the bit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-scalars-'));
  const theirs = await pythonRows(RELEASES[1], 'write_scalars.py', [folder]);
  const [file = ''] = readdirSync(folder);
  const ours = readEventFile(readFileSync(join(folder, file)));
  rmSync(folder, { recursive: true });

  const sorted = (rows: Record<string, unknown>[]): string[] =>
    rows.map(({ tag, step, value }) => JSON.stringify([tag, step, value])).toSorted();
  expect(theirs).toHaveLength(120);
  expect(sorted(ours.map(({ name, step, value }) => ({ tag: name, step, value })))).toEqual(sorted(theirs));
});
