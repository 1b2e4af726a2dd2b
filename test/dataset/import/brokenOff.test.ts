import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFile } from '../../../src/main/dataset/import/importFile.ts';
import { createImportJobs } from '../../../src/main/dataset/import/importJobs.ts';
import { readHere } from '../../../src/main/dataset/import/reading.ts';
import { createSourceStore } from '../../../src/main/dataset/import/sourceStore.ts';
import { jobLabel } from '../../../src/renderer/views/library/ImportJobs.tsx';
import { openLog } from '../../support/log.ts';
import { lines } from './support.ts';

const COUNT = 400;
const chat = (number: number) => ({
  messages: [
    { role: 'user', content: `question ${String(number)} ${'long '.repeat(200)}` },
    { role: 'assistant', content: 'b' },
  ],
});

let folder = '';
let file = '';
let made = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-broken-off-'));
  file = join(folder, 'people.jsonl');
  writeFileSync(file, lines(...Array.from({ length: COUNT }, (_, number) => chat(number))));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The product as a process has it: what it holds in memory goes with it. */
function start() {
  const log = openLog(join(folder, 'log.db'));
  const place = join(folder, 'sources');
  const newId = (): string => `i${String((made += 1))}`;
  const clock = (): number => 1_800_000_000_000;
  const reading = readHere({ sources: createSourceStore(place, newId), newId });
  const parts = { log, clock, newId, read: reading.read };
  const jobs = createImportJobs(parts, place);
  const read = (stopAfter = Number.POSITIVE_INFINITY) => {
    const stopping = new AbortController();
    let episodes = 0;
    return importFile(
      parts,
      { name: 'people.jsonl', path: file, beside: [] },
      {
        signal: stopping.signal,
        onBytes: () => undefined,
        onEpisode: () => {
          episodes += 1;
          if (episodes >= stopAfter) stopping.abort();
        },
      },
    );
  };
  return { log, jobs, read, end: async () => (await jobs.close(), log.close()) };
}

describe('an import that the end of the process broke off', () => {
  it('stands in the list after the restart with how far it came, until the same file was gone on with', async () => {
    const before = start();
    const cut = await before.read(50);
    expect(before.jobs.list()).toEqual([]);
    await before.end();
    expect(cut.episodes).toBeGreaterThanOrEqual(50);
    expect(cut.episodes).toBeLessThan(COUNT);

    const after = start();
    const [job] = after.jobs.list();
    expect(job).toMatchObject({ name: 'people.jsonl', state: 'broken_off', episodes: cut.episodes });
    if (job === undefined) throw new Error('it is listed');
    expect(jobLabel(job, 0)).toBe(
      `interrupted at ${String(cut.episodes)} episodes: import people.jsonl again to continue`,
    );
    const whole = await after.read();
    expect(whole).toMatchObject({ episodes: COUNT, known: cut.episodes, failure: null });
    expect(whole.diagnostics).toContainEqual(
      expect.objectContaining({
        message: `an earlier import of it was broken off at ${String(cut.episodes)} episodes: this one went on from there`,
      }),
    );
    expect(after.jobs.list()).toEqual([]);
    await after.end();

    const later = start();
    expect(later.jobs.list()).toEqual([]);
    await later.end();
  });

  it('is closed for good when nobody wants the rest', async () => {
    const before = start();
    await before.read(50);
    await before.end();
    const after = start();
    after.jobs.cancel(after.jobs.list()[0]?.import ?? '');
    expect(after.jobs.list()).toEqual([]);
    await after.end();
    const later = start();
    expect(later.jobs.list()).toEqual([]);
    await later.end();
  });

  it('says nothing of a file that was read to its end', async () => {
    const before = start();
    await before.read();
    await before.end();
    const after = start();
    expect(after.jobs.list()).toEqual([]);
    await after.end();
  });
});
