import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../../src/main/log/eventLog.ts';
import { write } from '../../support/exported.ts';
import { rulesOf } from '../../support/exporting.ts';
import { filesOf } from '../../support/filesOf.ts';
import { openLog } from '../../support/log.ts';
import { episodeEntries } from '../../support/manyEpisodes.ts';
import { folderPerTest } from '../../support/temporaryFolder.ts';

const folder = folderPerTest();

/** Episodes whose frames name a folder of the environment's host, as those of the built-in worlds do. */
function worldLog(task = 'Change the address.'): EventLog {
  const log = openLog();
  for (let i = 0; i < 6; i += 1) {
    const id = `e${String(i)}`;
    const entries = episodeEntries(id, i, { number: i, task_idx: i, task }).map((entry) =>
      entry.event.kind === 'call.returned'
        ? { ...entry, event: { ...entry.event, frame: JSON.stringify({ session_dir: '/srv/worlds/s1' }) } }
        : entry,
    );
    log.importStreams([{ stream: id, entries }]);
  }
  return log;
}

describe('the folder of every event', () => {
  it('is written though frames name the host, with a warning that says why', async () => {
    const { findings } = await write(worldLog(), folder(), { format: 'events' });

    expect(findings.filter(({ check }) => check === 'forbidden_fields')).toMatchObject([
      { level: 'warning', count: 6, message: expect.stringContaining('as a lossless bundle has it') },
    ]);
    expect(filesOf(folder())['data/events-train.jsonl']).toContain('/srv/worlds/s1');
  });

  it('is refused while a key stands in an event', async () => {
    const log = worldLog('Sign in with sk-abcdefghijklmnopqrstuvwx.');

    await expect(write(log, folder(), { format: 'events' })).rejects.toThrow(/secrets/);
  });

  it.each([
    ['as rows are made', rulesOf()],
    [
      'once it is known which rows are kept',
      rulesOf({ cap_per_task: 1, validation: { share: 0.5, seed: 1 } }),
    ],
  ])('has no second list of where rows come from, %s: every event names its episode', async (_, rules) => {
    await write(worldLog(), folder(), { format: 'events', rules });

    const files = filesOf(folder());
    expect(Object.keys(files)).not.toContain('provenance.jsonl');
    expect(files['README.md']).not.toContain('provenance.jsonl');
    const events = Object.entries(files)
      .filter(([name]) => name.startsWith('data/'))
      .flatMap(([, text]) => text.trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['type'] === undefined);
    expect(new Set(events.map((line) => line['episode'])).size).toBe(6);
    expect(events.every((line) => typeof line['episode'] === 'string')).toBe(true);
  });
});
