import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

it('opens every built-in world, and names the command that proves them', async () => {
  const { out } = await typeIn(folder(), [{ args: ['doctor', '--json'] }]);
  const lines = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { name?: string; status?: string });
  const worlds = lines.filter(({ name }) => name?.startsWith('world '));
  const packs = readdirSync(resolve(import.meta.dirname, '../../resources/worlds'), { withFileTypes: true });

  const names = packs.filter((one) => one.isDirectory()).map((one) => one.name);
  const all = [...names, 'dockside_thrusters'].map((name) => `world ${name}`);
  expect(new Set(worlds.map(({ name }) => name))).toEqual(new Set(all));
  expect(worlds.map(({ status }) => status)).toEqual(worlds.map(() => 'pass'));
  expect(out).toContain('interject world check tallybrook_ledger');
});
