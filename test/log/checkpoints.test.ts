import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { startThread } from '../../src/main/hosts/edges.ts';
import { reset, started, SYSTEM } from '../support/log.ts';

/** Events that are in the database's own file, with nothing of its write-ahead log. */
function eventsInFile(path: string, copy: string): unknown {
  copyFileSync(path, copy);
  const db = new Sqlite(copy);
  const count = db.prepare('SELECT count(*) FROM events').pluck().get();
  db.close();
  return count;
}

it('moves what a crowd writes into the database on a thread of its own, and a few events without one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  const path = join(folder, 'log.db');
  const db = openDatabase(path);
  const threads: string[] = [];
  const log = createEventLog({
    db,
    clock: Date.now,
    onListenerError: () => undefined,
    startThread: (role, data) => {
      threads.push(role);
      return startThread(role, data);
    },
  });

  for (let i = 0; i < 20; i += 1) log.append('few', SYSTEM, i === 0 ? started() : reset());
  const afterFew = [...threads];
  for (let i = 0; i < 400; i += 1) log.append(`e${String(i)}`, SYSTEM, started());
  await log.importing.close();
  const moved = eventsInFile(path, join(folder, 'copy.db'));
  log.append('few', SYSTEM, reset());
  const autoAgain = db.pragma('wal_autocheckpoint', { simple: true });
  db.close();

  expect(afterFew).toEqual([]);
  expect(threads).toEqual(['checkpoints']);
  expect(moved).toBe(420);
  expect(autoAgain).toBe(1000);
  rmSync(folder, { recursive: true });
});
