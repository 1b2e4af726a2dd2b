import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeDataFolder } from '../../src/main/log/dataFolder.ts';
import { checkRuntime } from '../../src/main/log/runtime.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('gives a data folder to one process and tells the second one who has it', () => {
  writeFileSync(join(folder, 'interject.lock'), JSON.stringify({ pid: 4_000_000 }));

  expect(() => takeDataFolder(folder, () => true)).toThrow(/process 4000000 already uses/);
});

it('takes over the lock of a process that died, or a lock that cannot be read', () => {
  writeFileSync(join(folder, 'interject.lock'), JSON.stringify({ pid: 4_000_000 }));
  takeDataFolder(folder, () => false).release();
  writeFileSync(join(folder, 'interject.lock'), '{"pi');

  const taken = takeDataFolder(folder, () => true);

  expect(taken.path).toBe(folder);
});

it('leaves no lock behind when it is released', () => {
  takeDataFolder(folder).release();

  expect(existsSync(join(folder, 'interject.lock'))).toBe(false);
});

it('names a data folder that cannot be made', () => {
  writeFileSync(join(folder, 'file'), '');

  expect(() => takeDataFolder(join(folder, 'file', 'data'))).toThrow(/cannot use the data folder/);
});

it.runIf(process.platform === 'linux')('does not hang where no folder can ever be made', () => {
  expect(() => takeDataFolder('/proc/interject/data')).toThrow(/cannot use the data folder/);
});

it('refuses a Node whose database addon would crash without a word', () => {
  expect(() => checkRuntime('9')).toThrow(/too old for the database/);
  expect(() => checkRuntime('10')).not.toThrow();
});
