import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { rebuildProjections } from '../../src/main/log/rebuild.ts';
import { HUMAN, openLog, openQuestion } from '../support/log.ts';

it('fills every table again from the events alone', () => {
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
  // The same events in a file whose tables nobody filled.
  const db = openDatabase(join(folder, 'old.db'));
  db.exec(`ATTACH '${join(folder, 'new.db')}' AS new; INSERT INTO events SELECT * FROM new.events;`);
  rebuildProjections(db);
  db.close();

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
