import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { recordedOf } from '../../src/main/log/eventReader.ts';
import { openLog, reset, started, SYSTEM } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';

describe('rows that are taken as they were written', () => {
  it('are what reading and parsing them gives', () => {
    const log = openLog();
    log.importStreams([{ stream: 'e1', entries: episodeEntries('e1', 5, { isAdvised: true }) }]);

    const rows = log.rows('e1');

    expect(rows.some(({ body }) => body.includes('"kind":"call.returned"'))).toBe(true);
    expect(rows.map(recordedOf)).toEqual(log.read('e1'));
  });

  it('cover the secrets of a reset that an older version stored, as reading it does', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'interject-rows-')), 'log.db');
    const log = openLog(path);
    log.append('e1', SYSTEM, started());
    log.append('e1', SYSTEM, reset());
    const db = new Database(path);
    db.prepare(
      'UPDATE events SET body = json_set(body, \'$.request\', json(\'{"api_key":"sk-live-123"}\')) WHERE n = 2',
    ).run();
    db.close();

    const rows = log.rows('e1').map(recordedOf);

    expect(JSON.stringify(rows)).not.toContain('sk-live-123');
    expect(rows).toEqual(log.read('e1'));
    log.close();
  });
});
