import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/main/log/migrations.ts';
import { HUMAN, openLog, openQuestion } from '../support/log.ts';

it('fills every table when a data folder of an older version is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-rebuild-'));
  const log = openLog(join(folder, 'new.db'));
  openQuestion(log);
  log.append('seat/seat-one', HUMAN, {
    kind: 'answer.seen',
    seat: 'seat-one',
    scenario: 's',
    task_idx: 1,
    saw: ['criteria'],
    episode: null,
  });
  const waiting = log.projections.desk(10);
  log.close();
  // The same events in a file of the first version, whose tables nobody kept.
  const old = new Sqlite(join(folder, 'old.db'));
  old.exec(MIGRATIONS[0] ?? '');
  old.exec(`ATTACH '${join(folder, 'new.db')}' AS new; INSERT INTO events SELECT * FROM new.events;`);
  old.pragma('user_version = 1');
  old.close();

  const reopened = openLog(join(folder, 'old.db'));

  expect(waiting.total).toBe(1);
  expect(reopened.projections.desk(10)).toEqual(waiting);
  expect(reopened.projections.seen('seat-one', { environment: null, scenario: 's', task_idx: 1 })).toEqual([
    'criteria',
  ]);
  expect(reopened.projections.episode('e1')?.status).toBe('waiting');
  reopened.close();
  rmSync(folder, { recursive: true, force: true });
});
