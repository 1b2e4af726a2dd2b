import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { archiveEpisodes } from '../../src/main/log/archiveRun.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { checkIntegrity } from '../../src/main/log/integrity.ts';
import { startThread } from '../../src/main/hosts/threadEntry.ts';
import { writeEpisode } from '../support/dataFolder.ts';
import { HUMAN } from '../support/log.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'integrity-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('looks at the pages of an archive on a thread, so that nobody waits for a large one', async () => {
  const db = openDatabase(join(folder, 'interject.db'));
  const threads: string[] = [];
  const log = createEventLog({
    db,
    clock: () => 1_000_000,
    onListenerError: (thrown) => expect(thrown).toBeNull(),
    startThread: (role, data) => {
      threads.push(role);
      return startThread(role, data);
    },
  });
  writeEpisode({ log }, 'old', 'an answer');
  const signal = new AbortController().signal;
  const path = join(folder, 'archives', 'one.sqlite');

  const hooks = { actor: HUMAN, signal, onProgress: () => undefined };
  const { episodes } = await archiveEpisodes(log, path, { episodes: ['old'], isCompacted: false, ...hooks });

  expect(episodes).toBe(1);
  expect(threads).toEqual(['integrity']);
  log.archives.close();
  db.close();
});

it('finds a damaged page, whoever looks', async () => {
  const path = join(folder, 'file.sqlite');
  const db = new Sqlite(path);
  db.exec('CREATE TABLE t (a TEXT, b TEXT); CREATE INDEX t_a ON t (a)');
  const put = db.prepare('INSERT INTO t VALUES (?, ?)');
  const fill = db.transaction(() => {
    for (let i = 0; i < 2_000; i += 1) put.run(`key ${String(i)}`, 'some words');
  });
  fill();
  db.close();
  const whole = await checkIntegrity(path, startThread);
  const bytes = readFileSync(path);
  bytes.fill(0, 4096 * 8, 4096 * 9);
  writeFileSync(path, bytes);

  const [onThread, here] = [await checkIntegrity(path, startThread), await checkIntegrity(path, undefined)];

  expect(whole).toBe('ok');
  expect(onThread).not.toBe('ok');
  expect(onThread).toBe(here);
});
