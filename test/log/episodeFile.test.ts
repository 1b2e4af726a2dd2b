// Ended episodes that go into a file and back, on a real log on disk.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/main/log/database.ts';
import { bringBack, writeEpisodeFile } from '../../src/main/log/episodeFile.ts';
import { createEventLog, type EventLog } from '../../src/main/log/eventLog.ts';
import { writeEpisode } from '../support/dataFolder.ts';
import { openQuestion } from '../support/log.ts';

const LONG = 'a result that is very long '.repeat(2_000);

let folder = '';
let path = '';
let db: Database;
let log: EventLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-episode-file-'));
  path = join(folder, 'kept', 'one.sqlite');
  db = openDatabase(join(folder, 'interject.db'));
  log = createEventLog({
    db,
    clock: () => 1_000_000,
    onListenerError: (thrown) => expect(thrown).toBeNull(),
  });
  writeEpisode({ log }, 'old', `first answer ${LONG}`);
  writeEpisode({ log }, 'other', 'second answer');
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const TABLES = ['events', 'texts', 'episodes', 'episode_list'] as const;
const stored = (): string =>
  JSON.stringify(TABLES.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()));
const takeOut = (episode: string): void => {
  db.prepare('DELETE FROM events WHERE stream = ?').run(episode);
  for (const table of ['episodes', 'episode_list'])
    db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(episode);
  db.exec('DELETE FROM texts');
};

it('an episode comes back from its file byte for byte, with its long texts and its line of the list', () => {
  const before = stored();
  writeEpisodeFile(db, path, ['old']);
  takeOut('old');
  expect(stored()).not.toBe(before);

  expect(bringBack(db, path)).toEqual(['old']);

  expect(stored()).toBe(before);
  expect(() => bringBack(db, path)).toThrow(/there is an episode old already/);
});

it('a file whose events or texts are not what was written brings nothing back', () => {
  for (const damage of ['UPDATE events SET at = at + 1 WHERE n = 2', "UPDATE texts SET text = 'another'"]) {
    writeEpisodeFile(db, path, ['old', 'other']);
    const file = new Sqlite(path);
    file.exec(damage);
    file.close();
    const before = stored();

    expect(() => bringBack(db, path)).toThrow(expect.objectContaining({ code: 'log_damaged' }));

    expect(stored()).toBe(before);
    rmSync(path);
  }
});

it('an episode that has not ended leaves no file', () => {
  openQuestion(log, 'running');

  expect(() => writeEpisodeFile(db, path, ['old', 'running'])).toThrow(
    /running is no episode that has ended/,
  );

  expect(existsSync(path)).toBe(false);
});
