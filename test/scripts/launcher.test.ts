import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderPerTest } from '../support/temporaryFolder.ts';

const root = resolve(import.meta.dirname, '../..');
type Ran = { code: number; stdout: string; stderr: string };

const folder = folderPerTest();
beforeEach(() => {
  for (const part of ['bin', 'scripts']) cpSync(join(root, part), join(folder(), part), { recursive: true });
  writeFileSync(join(folder(), 'package.json'), '{"type":"module"}');
});

const entry = (code: string): void => {
  mkdirSync(join(folder(), 'out/main'), { recursive: true });
  writeFileSync(join(folder(), 'out/main/cli.js'), code);
};

const interject = (
  args: string[],
  { cwd = folder(), env = {} as Record<string, string> } = {},
): Promise<Ran> =>
  new Promise((settle) => {
    const { INIT_CWD: _, ...rest } = process.env;
    execFile(
      process.execPath,
      [join(folder(), 'bin/interject.mjs'), ...args],
      { cwd, env: { ...rest, ...env } },
      (error, stdout, stderr) =>
        settle({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          stdout,
          stderr,
        }),
    );
  });

describe('the interject command', () => {
  it('says what to do when it is not built, and builds nothing', async () => {
    const { code, stdout, stderr } = await interject(['run']);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('npm run build');
  });

  it('says it as one JSON object with --json', async () => {
    const { code, stdout } = await interject(['run', '--json']);

    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      expect.objectContaining({
        type: 'error',
        code: 'not_built',
        next: expect.stringContaining('build') as string,
      }),
    ]);
    expect(stdout).toContain('"type":"error","code":"not_built"');
  });

  it('hands over its arguments and keeps the exit code', async () => {
    entry('console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7;');

    const { code, stdout } = await interject(['run', '--task', 'a b']);

    expect({ code, args: JSON.parse(stdout) as unknown }).toEqual({
      code: 7,
      args: ['run', '--task', 'a b'],
    });
  });

  it('works through the link that npm puts on the PATH', async () => {
    entry('console.log("here");');
    symlinkSync(join(folder(), 'bin/interject.mjs'), join(folder(), 'linked'));

    const stdout = await new Promise((settle) => {
      execFile(process.execPath, [join(folder(), 'linked')], (_error, printed) => settle(printed));
    });

    expect(stdout).toBe('here\n');
  });

  it('tells where it was called from, unless npm already has', async () => {
    entry('console.log(process.env.INIT_CWD);');

    const plain = await interject([], { cwd: tmpdir() });
    const throughNpm = await interject([], { env: { INIT_CWD: '/where/the/person/is' } });

    expect(plain.stdout.trim()).toBe(tmpdir());
    expect(throughNpm.stdout.trim()).toBe('/where/the/person/is');
  });
});
