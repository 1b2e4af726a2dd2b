import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cacheFolderPath, fromCaller, snapshotKeyPath } from '../../src/main/hosts/paths.ts';

it.each([
  ['/data/out/', '/data/out'],
  ['/data/a/../out', '/data/out'],
  ['out/', '/home/me/out'],
  ['../out', '/home/out'],
])('%s is %s for somebody in their home', (path, place) => {
  expect(fromCaller(path, { INIT_CWD: '/home/me' })).toBe(place);
});

it.runIf(process.platform === 'linux')('what can be made again lies where XDG says, else in ~/.cache', () => {
  expect(cacheFolderPath({ XDG_CACHE_HOME: '/fast' })).toBe('/fast/interject');
  expect(cacheFolderPath({ XDG_CACHE_HOME: '' })).toBe(join(homedir(), '.cache/interject'));
});

it.runIf(process.platform === 'linux')(
  'the key of its checksum lies elsewhere, among this user’s settings',
  () => {
    expect(snapshotKeyPath({ XDG_CONFIG_HOME: '/mine' })).toBe('/mine/interject/snapshot.key');
    expect(snapshotKeyPath({})).toBe(join(homedir(), '.config/interject/snapshot.key'));
  },
);
