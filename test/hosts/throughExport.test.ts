// Commands beside an open Interject: each is run alone on a copy of the folder and through the one that is open, and both
// must say and write the same.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesOf } from '../support/filesOf.ts';
import { copyFolder, openHost, type Host } from '../support/host.ts';
import { runCommand } from '../support/inProcess.ts';
import { openLog } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';

let alone = '';
let beside = '';
let host: Host;
beforeEach(async () => {
  alone = mkdtempSync(join(tmpdir(), 'interject-alone-'));
  beside = mkdtempSync(join(tmpdir(), 'interject-beside-'));
  mkdirSync(join(alone, 'home'));
  const log = openLog(join(alone, 'home', 'interject.db'));
  for (let i = 0; i < 6; i += 1) {
    const id = `e${String(i)}`;
    const over = { task_idx: i % 3, number: i, isAdvised: i % 2 === 0 };
    log.importStreams([{ stream: id, entries: episodeEntries(id, 1, over) }]);
  }
  log.close();
  copyFolder(join(alone, 'home'), join(beside, 'home'));
  host = await openHost(beside);
});
afterEach(async () => {
  await host.stop();
  for (const folder of [alone, beside]) rmSync(folder, { recursive: true, force: true });
});

/** What a command says and its exit code, without the folder's name. */
async function typed(folder: string, args: readonly string[]) {
  const { code, written, said } = await runCommand(folder, [...args, '--data', 'home']);
  const steady = (text: string): string => text.replaceAll(folder, 'FOLDER');
  return { code, written: steady(written), said: steady(said) };
}

describe('a command beside an open Interject', { timeout: 60_000 }, () => {
  it.each([
    ['sft', []],
    ['dpo', []],
    ['kto', ['--json']],
    ['grpo', ['--files', 'parquet']],
    ['advisor', ['--json']],
    ['events', []],
    ['annotations', []],
  ])('exports %s byte for byte as alone', async (format, more) => {
    const args = ['export', '--format', format, '--out', 'data', ...more];
    const one = await typed(alone, args);
    const other = await typed(beside, args);

    expect(other).toEqual(one);
    expect(filesOf(join(beside, 'data'))).toEqual(filesOf(join(alone, 'data')));
  });
});
