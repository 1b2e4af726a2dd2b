import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redacted, writeBundle } from '../../src/main/hosts/doctor.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { asked, openLog, reset, started } from '../support/log.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const bundle = (): string => {
  const file = join(folder(), 'bundle.json');
  writeBundle(file, folder(), [
    {
      name: 'environment',
      status: 'fail',
      evidence: `no answer from http://10.0.0.7:8000/env?key=abc; see ${folder()}/x`,
    },
  ]);
  return readFileSync(file, 'utf8');
};

describe('the diagnostics bundle', () => {
  it('counts what is in the log and holds none of its texts', () => {
    const log = openLog(join(folder(), 'interject.db'));
    log.append('e1', SYSTEM, started({ scenario: 'a_private_scenario' }));
    log.append(
      'e1',
      SYSTEM,
      reset({ task: 'Call Jane Doe at jane@example.org', request: { api_key: 'sk-secret-1234' } }),
    );
    log.append('e1', SYSTEM, asked({ question: 'May I tell Jane Doe?' }));
    log.close();

    const text = bundle();

    expect(JSON.parse(text)).toMatchObject({
      log: { integrity: true, events: expect.arrayContaining([{ kind: 'consultation.asked', count: 1 }]) },
    });
    for (const told of ['Jane', 'sk-secret', 'a_private_scenario', 'jane@', '10.0.0.7', folder()]) {
      expect(text).not.toContain(told);
    }
  });

  it('says that a log cannot be read instead of failing', () => {
    writeFileSync(
      join(folder(), 'interject.db'),
      'this is no database, but it is long enough to be looked at'.repeat(100),
    );
    expect(JSON.parse(bundle())).toMatchObject({ log: { problem: 'SQLITE_NOTADB' } });
  });

  it('keeps keys, addresses, paths and mail out of what a check says', () => {
    const said = redacted(
      'sk-live_abcdef1234 at https://a.b/c?d, /home/jane/x.db, jane@x.org, C:\\Users\\jane',
      '/data',
    );
    expect(said).not.toMatch(/sk-live|https|jane/);
    expect(redacted('12 checks, 380 ms, 3/10', '/data')).toBe('12 checks, 380 ms, 3/10');
  });
});
