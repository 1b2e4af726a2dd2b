import { describe, expect, it } from 'vitest';
import { recordedOf } from '../../src/main/log/eventReader.ts';
import { openLog } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';

describe('rows that are taken as they were written', () => {
  it('are what reading and parsing them gives', () => {
    const log = openLog();
    log.importStreams([{ stream: 'e1', entries: episodeEntries('e1', 5, { isAdvised: true }) }]);

    const rows = log.rows('e1');

    expect(rows.some(({ body }) => body.includes('"kind":"call.returned"'))).toBe(true);
    expect(rows.map(recordedOf)).toEqual(log.read('e1'));
  });
});
