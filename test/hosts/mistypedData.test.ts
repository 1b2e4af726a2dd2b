import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../support/inProcess.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

it.each([
  ['export', '--format', 'sft', '--out', 'rows'],
  ['export', '--format', 'events', '--out', 'rows'],
  ['report', 'a-run', '--out', 'report'],
  ['invite'],
  ['bench', '--from-questions', 'a-run'],
  ['erase', 'an-episode'],
])('`%s %s %s` makes no data folder of a mistyped name', async (...args) => {
  const { code, lines } = await runInProcess(folder(), [...args, '--data', 'hoem', '--json']);

  expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'not_found' });
  expect(lines.at(-1)?.['message']).toContain(join(folder(), 'hoem'));
  expect(code).toBe(1);
  expect(existsSync(join(folder(), 'hoem'))).toBe(false);
});
