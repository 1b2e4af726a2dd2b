// Who gets a data folder: real processes, real locks, a real pid namespace where one can be had.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeDataFolder } from '../../src/main/log/dataFolder.ts';
import { checkRuntime } from '../../src/main/log/runtime.ts';
import { startChild, type Child } from '../support/children.ts';

let folder = '';
let children: Child[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-data-'));
  children = [];
});
afterEach(async () => {
  for (const { process: child } of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

/** Takes the folder, says so or why not, and holds it. */
const TAKE = `
  const { takeDataFolder } = await import(src + '/main/log/dataFolder.ts');
  process.stdin.resume();
  process.stdout.write('ready\\n');
  try {
    takeDataFolder(process.argv[1]);
    process.stdout.write('taken\\n');
  } catch (thrown) {
    process.stdout.write(thrown.code + ' ' + thrown.message + '\\n');
  }
`;
/** Takes every folder it is told, which is made in that moment, says so or why not, and holds it. */
const TAKE_EACH = `
  const { takeDataFolder } = await import(src + '/main/log/dataFolder.ts');
  process.stdin.on('data', (path) => {
    try {
      takeDataFolder(String(path).trim());
      process.stdout.write('taken\\n');
    } catch (thrown) {
      process.stdout.write(thrown.code + '\\n');
    }
  });
  process.stdout.write('ready\\n');
`;
async function start(path: string, before: string[] = []): Promise<Child> {
  const child = startChild(TAKE, [path], before);
  children.push(child);
  expect(await child.line()).toBe('ready');
  return child;
}
const inNamespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const hasNamespaces =
  process.platform === 'linux' &&
  spawnSync(inNamespace[0] ?? '', [...inNamespace.slice(1), 'true']).status === 0;

describe('a data folder', () => {
  it('that a process holds is refused to the next one, which is told who has it and since when', async () => {
    const owner = await start(folder);
    expect(await owner.line()).toBe('taken');

    const refusal = expect.objectContaining({
      code: 'data_in_use',
      message: expect.stringMatching(
        new RegExp(
          `process ${String(owner.process.pid)} on \\S+ \\(since .*Z\\) already uses the data folder`,
        ),
      ),
      next: expect.stringContaining('--data'),
    });
    expect(() => takeDataFolder(folder, 0)).toThrow(refusal);
  });

  it.each([
    ['bench', 'Wait until that `interject bench` is over, or choose another data folder with --data.'],
    ['serve', 'Close that Interject, or choose another data folder with --data.'],
  ])('that %s holds: what refuses it says what to wait for', (command, next) => {
    const before = process.argv[2];
    process.argv[2] = command;
    const first = takeDataFolder(folder);
    try {
      expect(() => takeDataFolder(folder, 0)).toThrow(expect.objectContaining({ next }));
    } finally {
      process.argv[2] = before ?? '';
      first.release();
    }
  });

  it('is free the moment its owner is killed, and nobody has to clean up', async () => {
    const owner = await start(folder);
    expect(await owner.line()).toBe('taken');
    owner.process.kill('SIGKILL');
    await owner.ended;

    const next = takeDataFolder(folder, 0);
    expect(next.killed).toMatchObject({ pid: owner.process.pid });
    next.release();

    const later = takeDataFolder(folder, 0);
    expect(later.killed).toBeNull();
    later.release();
  });

  it('is not blocked by a stale file that names a process which lives, nor by one that cannot be read', () => {
    for (const stale of [JSON.stringify({ pid: 1 }), JSON.stringify({ pid: process.ppid }), '{"pi']) {
      writeFileSync(join(folder, 'interject.lock'), stale);

      takeDataFolder(folder, 0).release();
    }
  });

  it('goes to exactly one of several processes that start at the same moment, every time', async () => {
    const starters = Array.from({ length: 4 }, () => startChild(TAKE_EACH));
    children.push(...starters);
    for (const starter of starters) expect(await starter.line()).toBe('ready');
    for (let round = 0; round < 6; round += 1) {
      for (const starter of starters) starter.say(join(folder, `round-${String(round)}`));
      const said = await Promise.all(starters.map((one) => one.line()));

      expect(said.filter((line) => line === 'taken')).toHaveLength(1);
      expect(said.filter((line) => line === 'data_in_use')).toHaveLength(3);
    }
  });

  it.skipIf(!hasNamespaces)(
    'is refused to a process of another pid namespace (skipped where `unshare --pid` is not allowed)',
    async () => {
      const owner = await start(folder, inNamespace);
      expect(await owner.line()).toBe('taken');
      const inside = JSON.parse(readFileSync(join(folder, 'interject.lock'), 'utf8')) as { pid: number };
      expect(inside.pid).toBeLessThan(10);

      expect(() => takeDataFolder(folder, 0)).toThrow(expect.objectContaining({ code: 'data_in_use' }));
      const other = await start(folder, inNamespace);
      expect(await other.line()).toMatch(/^data_in_use/);
    },
  );

  it('keeps no name of its owner when it is released, and its lock file is its owner’s alone', () => {
    takeDataFolder(folder).release();

    expect(existsSync(join(folder, 'interject.lock'))).toBe(false);
    if (process.platform !== 'win32')
      expect(statSync(join(folder, 'interject.lock.db')).mode & 0o777).toBe(0o600);
  });

  it('that cannot be made is named', () => {
    writeFileSync(join(folder, 'file'), '');

    expect(() => takeDataFolder(join(folder, 'file', 'data'))).toThrow(/cannot use the data folder/);
  });
});

it('refuses a Node whose database addon would crash without a word', () => {
  expect(() => checkRuntime('9')).toThrow(/too old for the database/);
  expect(() => checkRuntime('10')).not.toThrow();
});
