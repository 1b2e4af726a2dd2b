import { hash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
  existsSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleLog, write } from '../../support/exported.ts';
import { filesOf } from '../../support/filesOf.ts';
import { rulesOf } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';

const kit = { name: 'trl' as const, resources: resolve(import.meta.dirname, '../../../resources') };

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let folder = '';
beforeEach(async () => {
  environment = await serveEnvironment();
  folder = mkdtempSync(join(tmpdir(), 'interject-export-'));
});
afterEach(() => {
  environment.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the folder of an export', () => {
  it.each(['jsonl', 'parquet', 'episode_record'] as const)(
    'names its content where a reader that caches by the card sees it: %s',
    async (kind) => {
      const { log } = await exampleLog(environment);
      const files = kind === 'parquet' ? ('parquet' as const) : ('jsonl' as const);
      const format = kind === 'jsonl' || kind === 'parquet' ? ('sft' as const) : kind;
      const over = { format, files };

      await write(log, join(folder, 'all', 'set'), { ...over, rules: rulesOf({ verdict: 'any' }) });
      await write(log, join(folder, 'same', 'set'), { ...over, rules: rulesOf({ verdict: 'any' }) });
      await write(log, join(folder, 'less', 'set'), { ...over, rules: rulesOf({ verdict: 'completed' }) });

      const [all, same, less] = ['all', 'same', 'less'].map((name) => {
        const { 'README.md': card = '', CHECKSUMS = '' } = filesOf(join(folder, name, 'set'));
        const sums = CHECKSUMS.split('\n').filter((line) => line.includes('  data/'));
        return {
          configured: /\nconfigs:\n(?: {2}.*\n|- .*\n)* {2}description: sha256 (\w+)\n/.exec(card)?.[1],
          content: hash('sha256', sums.map((line) => `${line}\n`).join(''), 'hex'),
        };
      });
      expect(all?.configured).toBe(all?.content);
      expect(same?.configured).toBe(all?.content);
      expect(less?.configured).toBe(less?.content);
      expect(less?.content).not.toBe(all?.content);
    },
  );

  it('is never written over what is there, unless that is asked for', async () => {
    const { log } = await exampleLog(environment);
    await write(log, folder);
    writeFileSync(join(folder, 'mine.txt'), 'mine');

    await expect(write(log, folder)).rejects.toThrow(/is not empty/);
    expect((await write(log, folder, { format: 'preference', isForced: true })).rows).toBe(1);
    expect(existsSync(join(folder, 'data/sft-train.jsonl'))).toBe(false);
    expect(existsSync(join(folder, 'data/preference-train.jsonl'))).toBe(true);
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it.each(['README.md', 'rules.json', 'CHECKSUMS', 'kit/sft.py', 'kit', 'data/rows.csv'])(
    'never replaces a %s of somebody else',
    async (name) => {
      const { log } = await exampleLog(environment);
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'mine');

      await expect(write(log, folder, { kit, isForced: true })).rejects.toThrow(/put there by no export/);
      expect(filesOf(folder)).toEqual({ [name]: 'mine' });
    },
  );

  it('takes no file for its own because somebody summed it up under the same name', async () => {
    const { log } = await exampleLog(environment);
    writeFileSync(join(folder, 'thesis.tex'), 'mine');
    writeFileSync(join(folder, 'CHECKSUMS'), `${'0'.repeat(64)}  thesis.tex\n`);

    await expect(write(log, folder, { isForced: true })).rejects.toThrow(/put there by no export/);
    expect(Object.keys(filesOf(folder))).toEqual(['CHECKSUMS', 'thesis.tex']);
  });

  it('is written again where its kit was used, and leaves what people and trainers put there', async () => {
    const { log } = await exampleLog(environment);
    await write(log, folder, { kit });
    const left = ['kit/.venv/pyvenv.cfg', 'kit/out/sft/model.json', 'kit/data/mine.csv', 'kit/notes.md'];
    for (const name of left) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'mine');
    }

    await write(log, folder, { format: 'preference', kit, isForced: true });
    expect(filesOf(folder)).toMatchObject(Object.fromEntries(left.map((name) => [name, 'mine'])));
    expect(existsSync(join(folder, 'kit/sft.py'))).toBe(true);
    await write(log, folder, { isForced: true });

    const kept = Object.keys(filesOf(folder)).filter((name) => name.startsWith('kit/'));
    expect(kept).toEqual(left.toSorted());
  });

  it('leaves no folder behind that held only what an earlier export wrote', async () => {
    const { log } = await exampleLog(environment);
    const into = join(folder, 'set');
    await write(log, into, { format: 'scores', kit });
    mkdirSync(join(into, 'mine'));
    writeFileSync(join(into, 'kit', 'notes.md'), 'mine');

    await write(log, into, { isForced: true });

    expect(readdirSync(join(into, 'data'))).toEqual(['sft-train.jsonl']);
    expect(readdirSync(join(into, 'kit'))).toEqual(['notes.md']);
    expect(existsSync(join(into, 'mine'))).toBe(true);
  });

  it('is no file, and is told so', async () => {
    const { log } = await exampleLog(environment);
    writeFileSync(join(folder, 'file'), 'x');

    await expect(write(log, join(folder, 'file'))).rejects.toMatchObject({ message: /is a file$/ });
  });
});
