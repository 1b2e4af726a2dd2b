import { expect, it } from 'vitest';
import { fromCaller } from '../../src/main/hosts/paths.ts';

it.each([
  ['/data/out/', '/data/out'],
  ['/data/a/../out', '/data/out'],
  ['out/', '/home/me/out'],
  ['../out', '/home/out'],
])('%s is %s for somebody in their home', (path, place) => {
  expect(fromCaller(path, { INIT_CWD: '/home/me' })).toBe(place);
});
