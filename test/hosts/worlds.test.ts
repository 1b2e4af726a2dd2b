import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';
import { packsFolder } from '../support/worlds.ts';

const folder = mkdtempSync(join(tmpdir(), 'interject-worlds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the shop under a name of its own, so changed that one of its tasks asks for nothing. */
const broken = join(folder, 'packs', 'other_shop');
cpSync(join(packsFolder, 'maplecart_shop'), broken, { recursive: true });
const change = (file: string, edit: (text: string) => string): void =>
  writeFileSync(join(broken, file), edit(readFileSync(join(broken, file), 'utf8')));
change('pack.json', (text) => text.replace('maplecart_shop', 'other_shop'));
change('tasks.json', (text) =>
  JSON.stringify(
    (JSON.parse(text) as object[]).map((task, at) => (at === 7 ? { ...task, changes: [] } : task)),
  ),
);

it('proves every built-in world by `world check`, and says of a broken one of your own which promise fails', async () => {
  const { codes, out } = await typeIn(folder, [
    { args: ['world', 'check', '--json'] },
    { args: ['world', 'check', 'other_shop', '--json'], variables: { INTERJECT_WORLD_DIR: 'packs' } },
    { args: ['world', 'check', './packs/other_shop'] },
    { args: ['world', 'check', 'no_such_world'] },
  ]);

  expect(codes).toEqual([0, 1, 1, 1]);
  const checks = out
    .split('\n')
    .filter((line) => line.startsWith('{"type":"check"'))
    .map((line) => JSON.parse(line) as { world: string; name: string; status: string });
  const worlds = new Set(checks.map(({ world }) => world));
  expect([...worlds].toSorted()).toEqual([
    'deskwren_helpdesk',
    'dockside_thrusters',
    'loomline_workflows',
    'maplecart_shop',
    'other_shop',
    'tallybrook_ledger',
  ]);
  const failed = checks.filter(({ status }) => status === 'fail').map(({ world, name }) => [world, name]);
  expect(failed).toContainEqual(['other_shop', 'task 7: doing nothing does not pass']);
  expect(new Set(failed.map(([world]) => world))).toEqual(new Set(['other_shop']));
});

it('lists worlds of your own beside the built-in ones, and refuses a name that is taken', async () => {
  cpSync(join(packsFolder, 'maplecart_shop'), join(folder, 'taken'), { recursive: true });
  const { codes, out, err } = await typeIn(folder, [
    { args: ['world', 'list', '--json'], variables: { INTERJECT_WORLD_DIR: join(folder, 'packs') } },
    { args: ['world', 'list'], variables: { INTERJECT_WORLD_DIR: 'taken' } },
  ]);

  expect(codes).toEqual([0, 0]);
  expect(out).toContain('"name":"other_shop"');
  expect(err).toContain('there is a world maplecart_shop already');
});

it('plays a world of your own with `run`', async () => {
  const { codes, out } = await typeIn(folder, [
    {
      args: 'run --world other_shop --task 0 --condition model --json'.split(' '),
      variables: { INTERJECT_WORLD_DIR: 'packs' },
    },
  ]);

  expect(codes).toEqual([0]);
  expect(out).toContain('"scenario":"other_shop","task_idx":0,"condition":"model","reward_type":"complete"');
});
