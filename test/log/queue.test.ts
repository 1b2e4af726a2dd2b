// Episodes that wait for a place, as the data folder keeps them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyDatabase } from '../../src/main/log/copyDatabase.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
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
