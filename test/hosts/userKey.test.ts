import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readUserKey, userKey } from '../../src/main/hosts/userKey.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const place = folderPerTest();
const file = (): string => join(place(), 'of this user', 'user.key');

/** Windows has no such modes. */
const OPEN_TO_OTHERS: [how: string, change: () => void][] =
  process.platform === 'win32'
    ? []
    : [
        ['could be read by others', () => chmodSync(file(), 0o644)],
        [
          'is a link',
          () => {
            renameSync(file(), `${file()}.moved`);
            symlinkSync(`${file()}.moved`, file());
          },
        ],
      ];

describe('the key of a user', () => {
  it('is made once, in a folder and a file of its owner alone', async () => {
    expect(await readUserKey(file())).toHaveLength(0);
    const key = await userKey(file());

    expect(key).toHaveLength(32);
    expect(await userKey(file())).toEqual(key);
    expect(await readUserKey(file())).toEqual(key);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(place(), 'of this user')).mode & 0o777).toBe(0o700);
  });

  it.each<[how: string, change: () => void]>([['is cut', () => truncateSync(file(), 31)], ...OPEN_TO_OTHERS])(
    'counts no more once it %s, and another takes its place',
    async (_how, change) => {
      const before = await userKey(file());
      change();

      expect(await readUserKey(file())).toHaveLength(0);
      const after = await userKey(file());
      expect(after).toHaveLength(32);
      expect(after.equals(before)).toBe(false);
      expect(readFileSync(file()).equals(after)).toBe(true);
    },
  );

  it.each([
    ['there is none yet', () => undefined],
    [
      'the one that is there is damaged',
      () => {
        mkdirSync(join(place(), 'of this user'), { mode: 0o700 });
        writeFileSync(file(), 'not 32 bytes', { mode: 0o600 });
      },
    ],
  ])('is one, whoever of many that start at once made it, where %s', async (_where, prepare) => {
    prepare();
    const made = await Promise.all(Array.from({ length: 12 }, () => userKey(file())));

    expect(new Set(made.map((key) => key.toString('hex'))).size).toBe(1);
    expect(made[0]).toHaveLength(32);
    expect(readdirSync(join(place(), 'of this user'))).toEqual(['user.key']);
  });

  it('is an empty one where none can be kept', async () => {
    writeFileSync(join(place(), 'a file'), '');

    expect(await userKey(join(place(), 'a file', 'user.key'))).toHaveLength(0);
  });
});
