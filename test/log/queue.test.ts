// Episodes that wait for a place, as the data folder keeps them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyDatabase } from '../../src/main/log/copyDatabase.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { MIGRATIONS } from '../../src/main/log/migrations.ts';
import { createQueuedEpisodes } from '../../src/main/log/queuedEpisodes.ts';
import { rebuildProjections } from '../../src/main/log/rebuild.ts';
import { salvage } from '../../src/main/log/salvage.ts';
import { openLog, started, SYSTEM } from '../support/log.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-queue-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opening = [{ actor: SYSTEM, event: started() }];

/** A log with an episode that has begun and two that wait, the later id first. */
function fill(): void {
  const log = openLog(at('a.db'));
  log.append('begun', SYSTEM, started());
  log.queue.add({ id: 'z', opening });
  log.queue.add({ id: 'a', opening });
  log.close();
}

it('they are read back in the order in which they were started, without one that nobody can read', () => {
  fill();
  const log = openLog(at('a.db'));
  const broken = new Sqlite(at('a.db'));
  broken.prepare("INSERT INTO queued (id, opening) VALUES ('broken', '[{}]')").run();
  broken.close();

  expect(log.queue.all()).toEqual([
    { id: 'z', opening },
    { id: 'a', opening },
  ]);
  log.close();
});

it('one leaves in the transaction in which its log begins: where that fails it goes on waiting', () => {
  fill();
  const db = openDatabase(at('a.db'));
  const log = createEventLog({ db, clock: () => 1, onListenerError: () => undefined });
  const refused = { kind: 'stop.requested', reason: 7 } as never;

  expect(() => log.appendAll('z', [...opening, { actor: SYSTEM, event: refused }])).toThrow();
  expect(log.queue.all().map(({ id }) => id)).toEqual(['z', 'a']);
  log.appendAll('z', opening);
  expect(log.queue.all().map(({ id }) => id)).toEqual(['a']);
  db.close();
});

it('a backup and a repaired log take them along, and tables that are made anew leave them', () => {
  fill();
  const db = openDatabase(at('a.db'));
  const repaired = openDatabase(at('repaired.db'));
  const waiting = createQueuedEpisodes(db).all();

  copyDatabase(db, at('backup.db'));
  salvage(db, repaired, 0, () => undefined);
  rebuildProjections(db);

  const backup = new Sqlite(at('backup.db'), { readonly: true });
  expect(waiting).toHaveLength(2);
  for (const one of [db, repaired, backup]) {
    expect(createQueuedEpisodes(one).all()).toEqual(waiting);
    one.close();
  }
});

it('a folder of the version before has none, and keeps those that come', () => {
  const old = new Sqlite(at('old.db'));
  for (const sql of MIGRATIONS.slice(0, 20)) old.exec(sql);
  old.pragma('user_version = 20');
  old.close();

  const log = openLog(at('old.db'));
  expect(log.queue.all()).toEqual([]);
  log.queue.add({ id: 'z', opening });
  log.close();

  const again = openLog(at('old.db'));
  expect(again.queue.all()).toHaveLength(1);
  again.close();
});

it('a folder of the version before opens without all of its events being read again', () => {
  const old = new Sqlite(at('old.db'));
  for (const sql of MIGRATIONS.slice(0, 20)) old.exec(sql);
  old.pragma('user_version = 20');
  fill();
  // Events without the lists that are made from them: reading them would make the lists.
  old.exec(`ATTACH '${at('a.db')}' AS new; INSERT INTO events SELECT * FROM new.events; DETACH new;`);
  old.close();

  const db = openDatabase(at('old.db'));
  expect(db.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 });
  expect(db.prepare('SELECT count(*) AS n FROM episodes').get()).toEqual({ n: 0 });
  db.close();
});

it('a log of before them is repaired like any other', () => {
  const old = new Sqlite(at('old.db'));
  for (const sql of MIGRATIONS.slice(0, 20)) old.exec(sql);
  fill();
  old.exec(`ATTACH '${at('a.db')}' AS new; INSERT INTO events SELECT * FROM new.events; DETACH new;`);
  const repaired = openDatabase(at('repaired.db'));

  expect(salvage(old, repaired, 0, () => undefined)).toMatchObject({ events: 1, broken: [] });
  expect(createQueuedEpisodes(repaired).all()).toEqual([]);
  old.close();
  repaired.close();
});
