import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fromCaller, userKeyPath } from '../../src/main/hosts/paths.ts';

it.each([
  ['/data/out/', '/data/out'],
  ['/data/a/../out', '/data/out'],
  ['out/', '/home/me/out'],
  ['../out', '/home/out'],
])('%s is %s for somebody in their home', (path, place) => {
  expect(fromCaller(path, { INIT_CWD: '/home/me' })).toBe(place);
});

it.runIf(process.platform === 'linux')('the key of a user lies where XDG says, else in ~/.config', () => {
  expect(userKeyPath({ XDG_CONFIG_HOME: '/mine' })).toBe('/mine/interject/user.key');
  expect(userKeyPath({})).toBe(join(homedir(), '.config/interject/user.key'));
});
