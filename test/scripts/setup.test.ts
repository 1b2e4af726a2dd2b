import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { alone, isAbandoned } from '../../scripts/parts/lock.mjs';
import { inputsOf } from '../../scripts/parts/output.mjs';
import {
  explainInstall,
  havePackages,
  missingPackages,
  npmComplaint,
} from '../../scripts/parts/packages.mjs';
import { checkWritable } from '../../scripts/setup.mjs';
import { folderPerTest } from '../support/temporaryFolder.ts';

const root = resolve(import.meta.dirname, '../..');

const folder = folderPerTest();

const write = (path: string, text: string): void => {
  mkdirSync(join(folder(), path, '..'), { recursive: true });
  writeFileSync(join(folder(), path), text);
};
const lockFile = (packages: Record<string, unknown>): void =>
  write('package-lock.json', JSON.stringify({ packages }));
const record = (packages: Record<string, unknown>): void =>
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));

describe('whether packages are there', () => {
  it('is no in a clean copy, and yes after an `npm ci` by hand, without one of our own', () => {
    lockFile({ '': {}, 'node_modules/a': { version: '1.0.0' } });
    expect(havePackages(folder())).toBe(false);

    record({ 'node_modules/a': { version: '1.0.0' } });

    expect(havePackages(folder())).toBe(true);
  });

  it('is no again as soon as the lock file names another version', () => {
    lockFile({ '': {}, 'node_modules/a': { version: '1.0.0' } });
    record({ 'node_modules/a': { version: '1.0.0' } });
    havePackages(folder());

    lockFile({ '': {}, 'node_modules/a': { version: '1.0.1' } });

    expect(havePackages(folder())).toBe(false);
  });

  it('does not wait for a package of another system, but does for ours by name', () => {
    const wanted = {
      '': { optionalDependencies: { 'node-here': '1' } },
      'node_modules/other-system': { version: '1', optional: true, os: ['plan9'], cpu: ['x64'] },
      'node_modules/brought-by-the-other': { version: '1', optional: true },
      'node_modules/node-here': { version: '1', optional: true },
    };

    expect(missingPackages(wanted, {})).toEqual(['node_modules/node-here']);
  });
});

describe('the lock file of this project', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
  };

  it('names every optional package of every system: `npm ci` refuses it otherwise', () => {
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));

    expect(missing).toEqual([]);
  });

  it('carries no download address', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});

describe('what a failed install says', () => {
  it.each([
    ['npm error code ENOTFOUND', 'could not be reached'],
    ['npm error code ENOSPC\nno space left on device', 'disk is full'],
    ['npm error code EACCES permission denied', 'cannot be written'],
    ['npm error code EUSAGE', 'do not agree'],
    ['npm error code EINTEGRITY', 'damaged'],
    ['npm error something new', 'ended with an error'],
  ])('names the cause of %j', (output, why) => {
    expect(explainInstall(output, '/here')[0]).toContain(why);
  });

  it('keeps npm’s complaint and leaves out its page of usage', () => {
    const output =
      'npm warn EBADENGINE Unsupported\nnpm error code EUSAGE\nnpm error\nnpm error Missing: x\nnpm error Clean install a project\nnpm error Usage:';

    expect(npmComplaint(output)).toBe('npm error code EUSAGE\nnpm error Missing: x');
  });
});

it('what a build depends on is every source and its settings, by content', () => {
  const settings = [
    'electron.vite.config.ts',
    'scripts/parts/compress.mjs',
    'scripts/parts/licenses.mjs',
    'tsconfig.json',
    'package-lock.json',
  ];
  for (const name of settings) write(name, '1');
  write('src/a.ts', '1');
  const before = inputsOf(folder());
  write('src/a.ts', '1');
  expect(inputsOf(folder())).toBe(before);

  write('src/deep/b.ts', '1');
  const withFile = inputsOf(folder());
  write('electron.vite.config.ts', '2');

  expect(new Set([before, withFile, inputsOf(folder())]).size).toBe(3);
});

describe('two set-ups in one folder', () => {
  it('take turns, and the second says that it waits', async () => {
    const path = join(folder(), '.cache/setup.lock');
    const seen: string[] = [];
    let finish = (): void => undefined;
    const first = alone(
      path,
      () => seen.push('first waits'),
      async () => {
        seen.push('first');
        await new Promise<void>((settle) => (finish = settle));
        seen.push('first done');
      },
    );
    const second = alone(
      path,
      () => seen.push('second waits'),
      async () => {
        seen.push('second');
      },
    );

    await expect.poll(() => seen).toContain('second waits');
    finish();
    await Promise.all([first, second]);

    expect(seen).toEqual(['first', 'second waits', 'first done', 'second']);
    expect(existsSync(path)).toBe(false);
  });

  it('takes over from one that was killed', async () => {
    const dead = await promisify(execFile)(process.execPath, ['-e', 'console.log(process.pid)']);
    write('.cache/setup.lock', `${dead.stdout.trim()} ${hostname()}\n`);

    const done = await alone(
      join(folder(), '.cache/setup.lock'),
      () => undefined,
      async () => 'done',
    );

    expect(done).toBe('done');
  });

  it('never takes over from a live one, nor from one just begun, nor from another machine’s that still touches it', () => {
    expect(isAbandoned(`${String(process.pid)} ${hostname()}`, 0)).toBe(false);
    expect(isAbandoned('', 0)).toBe(false);
    expect(isAbandoned('1 another-machine', 10_000)).toBe(false);
    expect(isAbandoned('1 another-machine', 61_000)).toBe(true);
  });
});

it('the scripts behind npm start and npm test import nothing that npm brings: they are what brings it', () => {
  const files = readdirSync(join(root, 'scripts/parts')).map((name) => `scripts/parts/${name}`);
  const imported = [
    ...files,
    'scripts/setup.mjs',
    'scripts/start.mjs',
    'scripts/test.mjs',
    'bin/interject.mjs',
  ]
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^import .*?from '([^']+)';/gms)])
    .map((match) => match[1] ?? '');

  expect(imported.length).toBeGreaterThan(20);
  expect(imported.filter((name) => !/^(node:|\.)/.test(name))).toEqual([]);
});

it('a folder that cannot be written is said to be so before anything is tried in it, with what to do', () => {
  expect(() => checkWritable(folder())).not.toThrow();
  expect(() => checkWritable(join(folder(), 'gone'))).toThrow(/cannot be written.*still to be set up/);
});
