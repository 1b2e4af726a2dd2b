// The pack that docs/environments.md builds step by step, built from that page and proved, served and played.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkPack } from '../../src/main/worlds/check.ts';
import { root, type Served, serveWorlds } from '../support/worlds.ts';

const parent = mkdtempSync(join(tmpdir(), 'documented-'));
const folder = join(parent, 'reading_room');
let served: Served;
beforeAll(async () => {
  mkdirSync(folder);
  const page = readFileSync(join(root, 'docs', 'environments.md'), 'utf8');
  for (const [, file = '', text = ''] of page.matchAll(/^```(?:json|sql) (\S+)\n([^]*?)^```$/gm))
    writeFileSync(join(folder, file), text);
  served = await serveWorlds({ own: parent });
});
afterAll(async () => {
  await served.close();
  rmSync(parent, { recursive: true, force: true });
});

it('keeps every promise as a pack of one’s own, however small it is', async () => {
  const { pack, checks } = await checkPack(folder, { isBuiltIn: false });

  expect(pack).toBe('reading_room');
  expect(checks.filter(({ status }) => status === 'fail')).toEqual([]);
  expect(checks.map(({ name }) => name)).toContain('task 0: a near miss does not pass (another reader)');
});

it('is served beside the built-in worlds, and its task is done by its reference', async () => {
  expect(served.worlds.packs().map(({ name }) => name)).toEqual([
    'loomline_workflows',
    'maplecart_shop',
    'deskwren_helpdesk',
    'tallybrook_ledger',
    'reading_room',
    'dockside_thrusters',
  ]);
  const client = await served.talk();
  await client.reset({ scenario: 'reading_room', task_idx: 0 });
  for (const { tool, args } of served.worlds.briefing('reading_room', 0)?.reference ?? [])
    await client.call(tool, args);

  expect(await client.verify('')).toBe('complete');
});
