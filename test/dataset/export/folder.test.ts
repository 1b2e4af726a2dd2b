import { mkdirSync, mkdtempSync, rmSync, writeFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleLog, write } from '../../support/exported.ts';
import { filesOf } from '../../support/filesOf.ts';
import { serveEnvironment } from '../../support/flow.ts';

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
  it('holds rows, card, rules, events and checksums, the same bytes each time', async () => {
    const { log } = await exampleLog(environment);

    const first = await write(log, join(folder, 'a'));
    await write(log, join(folder, 'b'));

    const files = filesOf(join(folder, 'a'));
    expect(filesOf(join(folder, 'b'))).toEqual(files);
    expect(Object.keys(files)).toEqual(first.files.toSorted());
    expect(Object.keys(files)).toEqual([
      'CHECKSUMS',
      'README.md',
      'data/sft-train.jsonl',
      'events.jsonl',
      'feedback.jsonl',
      'rules.json',
    ]);
    expect(files['README.md']).toContain('| The verifier does not call it complete (`not_completed`) | 3 |');
  });

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

  it.each(['README.md', 'kit/sft.py', 'data/rows.csv'])(
    'never replaces a %s of somebody else',
    async (name) => {
      const { log } = await exampleLog(environment);
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'mine');

      await expect(write(log, folder, { isForced: true })).rejects.toThrow(/put there by no export/);
      expect(filesOf(folder)).toEqual({ [name]: 'mine' });
    },
  );

  it('is no file, and is told so', async () => {
    const { log } = await exampleLog(environment);
    writeFileSync(join(folder, 'file'), 'x');

    await expect(write(log, join(folder, 'file'))).rejects.toMatchObject({ message: /is a file$/ });
  });
});
