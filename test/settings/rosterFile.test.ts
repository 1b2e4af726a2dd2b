import { expect, it } from 'vitest';
import { readRosterFile } from '../../src/main/settings/roster.ts';

const SMALL = { name: 'Small', skills: ['domain'], ask_for: 'errors', profile: 'small' };

it.each([
  [{ experts: [{ ...SMALL, skills: 'domain' }] }, '"skills" of number 1 of "experts" has to be a list'],
  [{ experts: [{ ...SMALL, seat: 'a' }] }, 'number 1 of "experts" must not have "seat"'],
  [{ routes: {} }, '"experts" is missing'],
  [[SMALL], 'it has to be an object'],
])('says in everyday words what is wrong with a file of experts (%j)', (file, words) => {
  expect(() => readRosterFile(JSON.stringify(file), 'experts.json')).toThrow(
    `experts.json is no roster of experts: ${words}`,
  );
});
