import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { electronBinary, noWindowReason } from '../../scripts/parts/desktop.mjs';
import { canRunProduct } from '../../scripts/parts/node.mjs';
import { countReport, failuresOf, runsFor } from '../../scripts/parts/vitestRun.mjs';
import { folderPerTest } from '../support/temporaryFolder.ts';

describe('desktop or browser', () => {
  const linux = { platform: 'linux', env: { DISPLAY: ':0' }, uid: 1000 };

  it('is the desktop where there is a display, and everywhere but on Linux', () => {
    expect(noWindowReason(linux)).toBeNull();
    expect(noWindowReason({ ...linux, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeNull();
    expect(noWindowReason({ platform: 'darwin', env: {}, uid: 501 })).toBeNull();
    expect(noWindowReason({ platform: 'win32', env: {}, uid: undefined })).toBeNull();
  });

  it('is the browser without a display and for root, saying which', () => {
    expect(noWindowReason({ ...linux, env: {} })).toBe('this machine has no display');
    expect(noWindowReason({ ...linux, env: { DISPLAY: '' } })).toBe('this machine has no display');
    expect(noWindowReason({ ...linux, uid: 0 })).toBe('Electron does not run as root');
  });
});

describe('the Electron binary', () => {
  const root = folderPerTest();
  beforeEach(() => {
    mkdirSync(join(root(), 'node_modules/electron/dist'), { recursive: true });
  });

  it('is found where path.txt points, and only if it is really there', () => {
    expect(electronBinary(root(), {})).toBeNull();
    writeFileSync(join(root(), 'node_modules/electron/path.txt'), 'electron');
    expect(electronBinary(root(), {})).toBeNull();

    writeFileSync(join(root(), 'node_modules/electron/dist/electron'), '');

    expect(electronBinary(root(), {})).toBe(join(root(), 'node_modules/electron/dist/electron'));
  });

  it('is taken from ELECTRON_OVERRIDE_DIST_PATH when that is set', () => {
    const dist = join(root(), 'own');
    mkdirSync(dist);
    expect(electronBinary(root(), { ELECTRON_OVERRIDE_DIST_PATH: dist })).toBeNull();

    writeFileSync(join(dist, 'electron'), '');

    expect(electronBinary(root(), { ELECTRON_OVERRIDE_DIST_PATH: dist })).toBe(join(dist, 'electron'));
  });
});

it('the Node to run with is judged by its Node-API: 10 and more will do', () => {
  expect([undefined, '9', '10', '11'].map((napi) => canRunProduct({ napi }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

describe('the files that npm test is asked for', () => {
  const root = join(import.meta.dirname, '../..');

  it('are those whose path contains a filter, and a run that has none is not started', () => {
    expect(runsFor(root, ['readMove.test'])).toEqual({ unit: true, browser: false });
    expect(runsFor(root, ['./test/agent/ReadMove'])).toEqual({ unit: true, browser: false });
    expect(runsFor(root, ['e2e/desk'])).toEqual({ unit: false, browser: true });
    expect(runsFor(root, ['test/desk/', 'e2e/desk'])).toEqual({ unit: true, browser: true });
    expect(runsFor(root, ['no such file', 'peers/'])).toEqual({ unit: false, browser: false });
  });

  it('are all of them without a filter, and where vitest is told something else', () => {
    for (const filters of [[], ['-t', 'a title'], [join(root, 'test')]])
      expect(runsFor(root, filters)).toEqual({ unit: true, browser: true });
  });
});

describe('the counts of npm test', () => {
  const test = (status: string) => ({ status, fullName: '' });

  it('counts a file that broke before its first test as a failure', () => {
    const files = [{ name: '/p/test/a.test.ts', status: 'failed', assertionResults: [] }];

    expect(countReport({ testResults: files })).toMatchObject({ passed: 0, failed: 1 });
  });

  it('does not take Electron’s tests for browser tests', () => {
    const files = [
      { name: '/p/test/e2e/electron.test.ts', status: 'passed', assertionResults: [test('passed')] },
    ];

    expect(countReport({ testResults: files }).browser).toEqual({ passed: 0, skipped: 0 });
  });

  it('names at its end what failed, and what passed only on a second try, with why', () => {
    const of = (status: string, fullName: string, failureMessages: string[] = []) => ({
      status,
      fullName,
      failureMessages,
    });
    const files = [
      {
        name: '/there/test/log/a.test.ts',
        status: 'failed',
        assertionResults: [
          of('passed', 'holds'),
          of('failed', 'breaks', ['\u001B[31mError: expected 1\u001B[39m\n  at a.test.ts:3']),
          of('passed', 'wavers', ['Error: timed out']),
        ],
      },
      {
        name: '/there/test/log/b.test.ts',
        status: 'failed',
        message: 'Cannot find x',
        assertionResults: [],
      },
      { name: '/there/test/log/c.test.ts', status: 'passed', assertionResults: [of('passed', 'holds')] },
    ];
    expect(failuresOf({ testResults: files }, '/there')).toEqual([
      'FAILED: test/log/a.test.ts > breaks\n    Error: expected 1\n      at a.test.ts:3',
      'passed on a second try: test/log/a.test.ts > wavers\n    Error: timed out',
      'FAILED before its first test: test/log/b.test.ts\n    Cannot find x',
    ]);
  });
});
