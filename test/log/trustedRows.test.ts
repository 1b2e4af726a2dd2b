import { describe, expect, it } from 'vitest';
import { recordedOf, UNCHANGED_KINDS } from '../../src/main/log/reader.ts';
import { LogEvent } from '../../src/shared/events/vocabulary.ts';
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

  it('are of kinds without a field that an older row may lack: parsing one would add nothing', () => {
    const required: Record<string, string[]> = {};
    for (const option of LogEvent.options) {
      const { kind, ...fields } = option.shape;
      const [name = ''] = [...kind.values].map(String);
      if (!UNCHANGED_KINDS.has(name)) continue;
      const defaulted = Object.entries(fields).filter(
        ([, field]) => field.safeParse(undefined).success && field.safeParse(undefined).data !== undefined,
      );
      required[name] = defaulted.map(([key]) => key);
    }

    expect(Object.keys(required).toSorted()).toEqual([...UNCHANGED_KINDS].toSorted());
    expect(Object.values(required).flat()).toEqual([]);
  });
});
