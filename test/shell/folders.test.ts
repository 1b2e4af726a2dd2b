import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUsualFolder, moveEarlierData } from '../../src/main/desktop/folders.ts';
import { takeDataFolder } from '../../src/main/log/dataFolder.ts';
import { FILES, FOLDERS } from '../../src/main/log/ownerOnly.ts';

let folder = '';
const earlier = (): string => join(folder, 'config');
const now = (): string => join(folder, 'share');
const names = (path: string): string[] => readdirSync(path).toSorted();

const KEPT = [
  'settings.json',
  'keychain.json',
  'keys.json',
  'tap.json',
  'interject.mark',
  'settings.broken-1.json',
];
const KEPT_FOLDERS = [...FOLDERS, 'criteria', 'curriculum'];
const CHROMIUM = ['GPUCache', 'Session Storage', 'blob_storage', 'Network'];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-folders-'));
  for (const name of [...KEPT_FOLDERS, ...CHROMIUM, 'Local Storage'])
    mkdirSync(join(earlier(), name), { recursive: true });
  for (const name of [
    ...KEPT,
    ...FILES.filter((one) => !one.startsWith('interject.')),
    'Local State',
    'Cookies',
  ])
    writeFileSync(join(earlier(), name), name);
  writeFileSync(join(earlier(), 'window.json'), '{"width":900}');
  // As a killed app leaves it: the last rows lie beside the log.
  const db = new Sqlite(join(folder, 'open.db'));
  db.exec("PRAGMA journal_mode=WAL; CREATE TABLE events (kind TEXT); INSERT INTO events VALUES ('asked')");
  for (const end of ['', '-wal'])
    copyFileSync(join(folder, `open.db${end}`), join(earlier(), `interject.db${end}`));
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rowsIn = (path: string): unknown[] => {
  const db = new Sqlite(join(path, 'interject.db'), { fileMustExist: true });
  try {
    return db.prepare('SELECT kind FROM events').all();
  } finally {
    db.close();
  }
};

describe('episodes that an earlier desktop app kept elsewhere', () => {
  it('move to the folder of the command line with all that belongs to them, and what the page remembers with them', () => {
    expect(moveEarlierData(earlier(), now())).toBe(
      `The episodes of the desktop app moved from ${earlier()} to ${now()}, where the command line finds them too.`,
    );

    expect(names(now())).toEqual(
      expect.arrayContaining([...KEPT, ...KEPT_FOLDERS, 'secrets.json', 'window']),
    );
    expect(rowsIn(now())).toEqual([{ kind: 'asked' }]);
    expect(names(join(now(), 'window'))).toEqual(['Local State', 'Local Storage', 'place.json']);
    expect(names(earlier())).toEqual([...CHROMIUM, 'Cookies', 'interject.lock.db'].toSorted());
    expect(moveEarlierData(earlier(), now())).toBeNull();
  });

  it('stay where they are, and are named, where there are episodes already', () => {
    mkdirSync(now());
    writeFileSync(join(now(), 'interject.db'), 'other');

    expect(moveEarlierData(earlier(), now())).toContain(`--data ${earlier()}`);
    expect(readFileSync(join(now(), 'interject.db'), 'utf8')).toBe('other');
    expect(existsSync(join(earlier(), 'interject.db'))).toBe(true);
  });

  it.each([1, 3, 6, 12, 18])('move on at the next start where the move broke off at file %i', (place) => {
    let count = 0;
    const breaking = (from: string, to: string): void => {
      count += 1;
      if (count === place) throw new Error('the power went out');
      renameSync(from, to);
    };
    expect(() => moveEarlierData(earlier(), now(), breaking)).toThrow('the power went out');
    expect(existsSync(join(now(), 'interject.db'))).toBe(false);

    expect(moveEarlierData(earlier(), now())).toContain('moved from');
    expect(rowsIn(now())).toEqual([{ kind: 'asked' }]);
    expect(names(now())).toEqual(
      expect.arrayContaining([...KEPT, ...KEPT_FOLDERS, 'secrets.json', 'window']),
    );
  });

  it('are copied whole to another disk before they are removed from the first', () => {
    mkdirSync(join(now(), 'sessions.arriving'), { recursive: true });
    writeFileSync(join(now(), 'sessions.arriving', 'half'), '');
    writeFileSync(join(earlier(), 'sessions', 'final.db'), 'whole');
    const otherDisk = (): void => {
      throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
    };

    moveEarlierData(earlier(), now(), otherDisk);

    expect(names(join(now(), 'sessions'))).toEqual(['final.db']);
    expect(rowsIn(now())).toEqual([{ kind: 'asked' }]);
    expect(names(earlier())).toEqual([...CHROMIUM, 'Cookies', 'interject.lock.db'].toSorted());
  });

  it('leave what is there already as it is, and say what did not move', () => {
    mkdirSync(now());
    writeFileSync(join(now(), 'settings.json'), 'of the command line');

    expect(moveEarlierData(earlier(), now())).toMatch(
      /Not moved, because there were such already: settings\.json\.$/,
    );
    expect(readFileSync(join(now(), 'settings.json'), 'utf8')).toBe('of the command line');
  });

  it.each(['the earlier folder', 'the new one'])('are not touched while somebody uses %s', (which) => {
    const held = takeDataFolder(which === 'the new one' ? now() : earlier());
    try {
      expect(() => moveEarlierData(earlier(), now())).toThrow(
        expect.objectContaining({ code: 'data_in_use' }),
      );
      expect(existsSync(join(earlier(), 'interject.db'))).toBe(true);
    } finally {
      held.release();
    }
  });

  it('stay, and only what the page remembers moves, where both names lead to one folder', () => {
    symlinkSync(earlier(), now(), 'dir');

    expect(moveEarlierData(earlier(), now())).toBeNull();
    expect(rowsIn(now())).toEqual([{ kind: 'asked' }]);
    expect(names(join(now(), 'window'))).toEqual(['Local State', 'Local Storage', 'place.json']);
  });
});

it('an earlier folder is looked for only where a person named none', () => {
  expect(isUsualFolder(undefined, {})).toBe(true);
  expect(isUsualFolder(undefined, { INTERJECT_HOME: '' })).toBe(true);
  expect(isUsualFolder('/tmp/try', {})).toBe(false);
  expect(isUsualFolder(undefined, { INTERJECT_HOME: '/srv' })).toBe(false);
});
